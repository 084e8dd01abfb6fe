import { exampleOf } from '@profile-service/contracts/examples';
import fc from 'fast-check';
import { cpf } from '../../test/support/cpf.ts';
import { type Kind, type Known, kindOfEndpoint, kindOfField } from './known.ts';
import type { Hints } from './schema.ts';

/**
 * Makes requests name existing records, which the schema alone would not do.
 * @param endpointName dotted: `users.create`
 * @param fresh whether the request creates a record
 */
export function hintsOf(known: Known, endpointName: string, fresh: boolean): Hints {
  const about = kindOfEndpoint(endpointName);
  const { invalid = {} } = exampleOf(endpointName);
  const own: Record<string, fc.Arbitrary<unknown>> = {
    page: fc.integer({ min: 1, max: 3 }),
    startDate: moments,
    endDate: moments,
    timeZone: fc.constantFrom('America/Sao_Paulo', 'America/Manaus', 'America/Noronha', 'UTC'),
    ...(about === 'user' ? { federalTaxId: fc.nat(999_999_999).map(cpf) } : {}),
  };
  return {
    field(field, values) {
      const kind = kindOfField(field, about);
      const likely = own[field] ?? values;
      const rejected = (invalid[field] ?? []).filter((value) => value !== undefined);
      const wild = rejected.length > 0 ? fc.oneof(values, fc.constantFrom(...rejected)) : values;
      const sometimesWild = fc.oneof({ weight: 9, arbitrary: likely }, { weight: 1, arbitrary: wild });
      if (!kind) return sometimesWild;
      // A creation needs unused values, a read needs existing ones.
      const chance = fresh && (kind === about || unique.has(kind)) ? 10 : unique.has(kind) ? 40 : 85;
      const pick = (at: number): unknown => (field === 'organizationIds' ? [known.pick(kind, at)] : known.pick(kind, at));
      const existing = fc.nat().map(pick);
      return fc
        .tuple(existing, sometimesWild, fc.nat(99))
        .map(([there, other, draw]) => (draw < chance && !isNothing(there) ? there : other));
    },
    object(names, values) {
      const together = fc.tuple(values, fc.nat(), fc.nat(9)).map(([object, at, draw]) => {
        const pair = draw === 0 ? undefined : known.pickPair(names, at);
        return pair && Object.keys(pair).every((name) => name in object) ? { ...object, ...pair } : object;
      });
      if (names.includes('value') && names.includes('type'))
        return fc
          .tuple(values, contacts)
          .map(([contact, pair]) => ('value' in contact && 'type' in contact ? { ...contact, ...pair } : contact));
      return together;
    },
  };
}

const unique: ReadonlySet<Kind> = new Set<Kind>(['email', 'personTaxId', 'organizationTaxId']);

const isNothing = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.includes(undefined));

const moments = fc
  .tuple(fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }), fc.boolean())
  .map(([date, day]) => date.toISOString().slice(0, day ? 10 : undefined));

const contacts = fc.oneof(
  fc.record({ type: fc.constant('PHONE'), value: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant('EMAIL'), value: fc.constant('contato@example.com') }),
  fc.record({ type: fc.constant('URL'), value: fc.webUrl() }),
);
