import { type Expression, sql, type SqlBool } from 'kysely';

export type Values = Readonly<Record<string, unknown>>;

/** Placeholder in a query for a value that is known only when the statement runs. */
export class Placeholder {
  readonly read: (input: Values, scope: Values) => unknown;

  constructor(read: (input: Values, scope: Values) => unknown) {
    this.read = read;
  }
}

/**
 * The fields of an input while a query is built. They have the types of the values, so that Kysely checks them.
 * An absent field is NULL. A field in `Variants` is undefined in the texts for inputs without it.
 */
export type Placeholders<Input, Variants extends string = never> = {
  readonly [Field in keyof Input]-?: Field extends Variants ? Input[Field] | undefined : NullForAbsent<Input[Field]>;
};

type NullForAbsent<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** Returns placeholders for all fields except those in `absent`, which are undefined. */
export function placeholdersOf<P>(source: 'input' | 'scope', absent: ReadonlySet<string> = new Set()): P {
  return proxyOf((field) => {
    if (absent.has(field)) return undefined;
    return new Placeholder(source === 'input' ? (input) => input[field] : (_input, scope) => scope[field]);
  });
}

const proxyOf = <P>(valueOf: (field: string) => Placeholder | undefined): P =>
  new Proxy({}, { get: (_target, field) => (typeof field === 'string' ? valueOf(field) : undefined) }) as P;

/** Returns placeholders for the fields of a nested object. */
export function fieldsOf<Input extends object>(value: Input): Placeholders<Input> {
  const { read } = asPlaceholder(value);
  return proxyOf((field) => new Placeholder((input, scope) => (read(input, scope) as Values)[field]));
}

/** Returns the named fields, for `values()`. Does not compile if a field of the input is missing: the insert would drop its value. */
export function columns<P extends object, const Field extends keyof P>(
  p: P,
  ...fields: Field[]
): [Exclude<keyof P, Field>] extends [never] ? Pick<P, Field> : { missing: Exclude<keyof P, Field> } {
  return Object.fromEntries(fields.map((field) => [field, p[field]])) as never;
}

/** Whether the input has the field. True also for null. */
export function isGiven(value: unknown): Expression<SqlBool> {
  const { read } = asPlaceholder(value);
  return sql<SqlBool>`${new Placeholder((input, scope) => read(input, scope) !== undefined)}`;
}

/**
 * An optional filter. The text is the same with and without the field. PostgreSQL plans with the values, so an absent filter costs nothing.
 * If an index starts with the field, make it a variant instead: a plan without the values could not use the index.
 */
export function ifGiven<Value>(value: Value | null, predicate: (value: Value) => Expression<SqlBool>): Expression<SqlBool> {
  return sql<SqlBool>`(not ${isGiven(value)} or ${predicate(value as Value)})`;
}

function asPlaceholder(value: unknown): Placeholder {
  if (value instanceof Placeholder) return value;
  throw new TypeError('Expected a placeholder, not a value');
}
