import fc from 'fast-check';
import { naughtyValues } from './naughty-strings.ts';

type Json = Record<string, unknown>;

export const naughty: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...naughtyValues) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

const unexpectedKeys = ['__proto__', 'constructor', 'toString', 'id', 'idIdentity', 'deletedAt', 'organizationId', '', 'ключ'];

/** A change of one part of a value: it is replaced, repeated, removed, wrapped, encoded as text, or gets a sibling. */
const damages = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'wrap', 'text', 'add', 'repeat'),
  value: naughty,
  key: fc.constantFrom(...unexpectedKeys),
});
type Damage = typeof damages extends fc.Arbitrary<infer T> ? T : never;

/** The values with one or two damaged parts. */
export const damaged = (values: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(values, fc.array(damages, { minLength: 1, maxLength: 2 })).map(([value, all]) => all.reduce(inflict, value));

function inflict(value: Json, damage: Damage): Json {
  const copy = structuredClone(value);
  const places = placesIn(copy);
  const [owner, key] = places[damage.at % places.length] ?? [copy, 'unknown'];
  const old = owner[key];
  if (damage.kind === 'replace') set(owner, key, damage.value);
  else if (damage.kind === 'remove') Reflect.deleteProperty(owner, key);
  else if (damage.kind === 'wrap') set(owner, key, [old]);
  else if (damage.kind === 'text') set(owner, key, JSON.stringify(old));
  else if (damage.kind === 'repeat') set(owner, key, [old, old]);
  else set(owner, damage.key, damage.value);
  return copy;
}

/** Sets a key, also `__proto__`. */
const set = (owner: Json, key: string, value: unknown): void =>
  void Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });

/** Every key of every object and list in the value. */
function placesIn(value: unknown): [owner: Json, key: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [[value as Json, key] as [Json, string], ...placesIn(item)]);
}
