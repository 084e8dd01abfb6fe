import { expect, test } from 'vitest';
import { columns, ifGiven, type Placeholders, statement, whenGiven } from '../../src/index.ts';

interface Input {
  active: boolean;
  name: string;
  alias?: string | undefined;
  customerId?: string | undefined;
}
type P = Placeholders<Input>;
const scope = { kind: 'none' } as const;

/** The compiler checks these functions: each `@ts-expect-error` fails if its line compiles, and each disabled rule if nothing is reported. None of them runs. */
test('a placeholder is not the value that it stands for', () => {
  const uses = [
    // @ts-expect-error a placeholder is no boolean
    (p: P) => p.active === true,
    // @ts-expect-error a placeholder has no length
    (p: P) => p.name.length,
    // @ts-expect-error a placeholder is no text
    (p: P): string => p.name,
    // oxlint-disable-next-line typescript/strict-boolean-expressions -- a placeholder is always true
    (p: P) => (p.active ? 1 : 2),
    // oxlint-disable-next-line typescript/strict-boolean-expressions -- a placeholder is always true, also for an absent field
    (p: P) => (p.alias ? 1 : 2),
    // @ts-expect-error a filter needs a placeholder, not a value
    () => ifGiven('a value', () => ({}) as never),
    // @ts-expect-error a field that is never absent is no optional filter
    (p: P) => ifGiven(p.name, () => ({}) as never),
    () =>
      statement((db, p: P) =>
        // @ts-expect-error an optional field is no operand: without it, the query would compare with NULL
        db.selectFrom('users').select('id').where('customerId', '=', p.customerId),
      ),
    () =>
      statement((db, p: Placeholders<{ id: string; federalTaxId: string; name: string; alias?: string | undefined }>) =>
        // @ts-expect-error the insert would drop the alias
        db.insertInto('customers').values(columns(p, 'id', 'federalTaxId', 'name')),
      ),
  ];
  expect(uses).toHaveLength(9);
});

test('a field of whenGiven changes the text, and one of ifGiven does not', () => {
  const users = statement((db, p: P) => {
    const query = db
      .selectFrom('users')
      .select('id')
      .where('name', '=', p.name)
      .where((eb) => ifGiven(p.alias, (alias) => eb('email', '=', alias)));
    return whenGiven(p.customerId, query, (filtered, customerId) => filtered.where('customerId', '=', customerId));
  });
  const bind = (input: Partial<Input>) => users.bind({ active: true, name: 'Ana', ...input }, scope);
  const [plain, filtered, both] = [bind({}), bind({ customerId: 'c' }), bind({ customerId: 'd', alias: 'x' })];
  expect(plain.text).not.toContain('customer_id');
  expect(plain.values).toEqual(['Ana', false, undefined]);
  expect(filtered.text).toContain('"customer_id" = $4');
  expect(filtered.values).toEqual(['Ana', false, undefined, 'c']);
  expect(both.name).toBe(filtered.name);
  expect(both.values).toEqual(['Ana', true, 'x', 'd']);
  expect(bind({ alias: 'y' }).name).toBe(plain.name);
});
