import { type Expression, type OperationNode, sql, type SqlBool, ValueNode } from 'kysely';

export type Values = Readonly<Record<string, unknown>>;

/** Placeholder in a query for a value that is known only when the statement runs. Kysely accepts it wherever it accepts an expression. */
export class Placeholder<out T> implements Expression<T> {
  readonly read: (input: Values, scope: Values) => unknown;
  /** Whether the text that is built is for inputs with this field. From then on, inputs with and without it have different texts. */
  readonly isInText: (() => boolean) | undefined;

  constructor(read: (input: Values, scope: Values) => unknown, isInText?: () => boolean) {
    this.read = read;
    this.isInText = isInText;
  }

  get expressionType(): T | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    return ValueNode.create(this);
  }
}

declare const value: unique symbol;

/** Placeholder for a field that may be absent. It is no expression: use `ifGiven` or `whenGiven`. In `columns`, and in a template of `sql`, an absent field is NULL. */
export interface OptionalPlaceholder<out T> {
  readonly [value]: T;
}

/** The fields of an input while a query is built. */
export type Placeholders<Input> = {
  readonly [Field in keyof Input]-?: undefined extends Input[Field]
    ? OptionalPlaceholder<Exclude<Input[Field], undefined>>
    : Placeholder<Input[Field]>;
};

/** The optional fields on which the text of a statement depends. */
export class Variants {
  readonly #fields = new Set<string>();

  /** Returns a text that is the same for inputs with the same text of the statement. */
  keyOf(input: Values): string {
    let key = '';
    for (const field of this.#fields) key += input[field] === undefined ? '-' : '+';
    return key;
  }

  /** Returns placeholders for the fields of the input. A query that is built from them is for inputs with the same variants. */
  placeholdersFor<P>(input: Values): P {
    return proxyOf(
      (field) =>
        new Placeholder(
          (values) => values[field],
          () => {
            this.#fields.add(field);
            return input[field] !== undefined;
          },
        ),
    );
  }
}

/** The ids of the caller's scope. */
export const scopeIds = {
  tenantId: new Placeholder<string>((_input, scope) => scope['tenantId']),
  userId: new Placeholder<string>((_input, scope) => scope['userId']),
};

/** The placeholder of a field that the input never has. */
const absent = new Placeholder<never>(
  () => undefined,
  () => false,
);

const proxyOf = <P>(placeholderOf: (field: string) => Placeholder<unknown>): P =>
  new Proxy({}, { get: (_target, field) => (typeof field === 'string' ? placeholderOf(field) : undefined) }) as P;

/** Returns placeholders for an input without any field, so that the query has no optional filter. */
export const noFields = <P>(): P => proxyOf(() => absent);

/** Returns placeholders for the fields of a nested object. */
export function fieldsOf<Input extends object>(object: Placeholder<Input>): Placeholders<Input> {
  return proxyOf((field) => new Placeholder((input, scope) => (object.read(input, scope) as Values)[field]));
}

/** The values of columns. */
type ColumnValues<P> = { [Field in keyof P]: P[Field] extends OptionalPlaceholder<infer T> ? Expression<T | null> : P[Field] };

/** Returns the named fields, for `values()`. Does not compile if a field of the input is missing: the insert would drop its value. */
export function columns<P extends object, const Field extends keyof P>(
  p: P,
  ...fields: Field[]
): [Exclude<keyof P, Field>] extends [never] ? ColumnValues<Pick<P, Field>> : { missing: Exclude<keyof P, Field> } {
  return Object.fromEntries(fields.map((field) => [field, p[field]])) as never;
}

/** Whether the input has the field. True also for null. */
export function isGiven(field: unknown): Expression<SqlBool> {
  const { read } = asPlaceholder(field);
  return sql<SqlBool>`${new Placeholder((input, scope) => read(input, scope) !== undefined)}`;
}

/**
 * An optional filter. The text is the same with and without the field. PostgreSQL plans with the values, so an absent filter costs nothing.
 * If an index starts with the field, use `whenGiven` instead: a plan without the values could not use the index.
 */
export function ifGiven<T>(
  field: OptionalPlaceholder<T>,
  predicate: (value: Placeholder<NonNullable<T>>) => Expression<SqlBool>,
): Expression<SqlBool> {
  const placeholder = asPlaceholder<NonNullable<T>>(field);
  return placeholder === absent ? sql`true` : sql`(not ${isGiven(placeholder)} or ${predicate(placeholder)})`;
}

/** Changes the query for inputs with the field. Each combination of such fields has its own text. Only for fields of the input itself. */
export function whenGiven<T, Query>(
  field: OptionalPlaceholder<T>,
  query: Query,
  change: (query: Query, value: Placeholder<NonNullable<T>>) => Query,
): Query {
  const placeholder = asPlaceholder<NonNullable<T>>(field);
  if (!placeholder.isInText) throw new TypeError('A field of a nested object cannot change the text');
  return placeholder.isInText() ? change(query, placeholder) : query;
}

function asPlaceholder<T>(field: unknown): Placeholder<T> {
  if (field instanceof Placeholder) return field as Placeholder<T>;
  throw new TypeError('Expected a placeholder, not a value');
}
