import { createHash } from 'node:crypto';
import {
  CamelCasePlugin,
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { DB } from '../schema.gen.ts';
import { Placeholder, type Values } from './placeholders.ts';

/** Converts names of tables and columns. Keys inside JSON are not changed. */
export const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** Builds queries. It has no connection to run them. */
export const queries = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [camelCase],
});

/** A compiled SQL text with its name and parameters. */
export interface CompiledStatement {
  /** Name of the prepared statement: a hash of the text, the same on every instance. */
  readonly name: string;
  readonly text: string;
  /** Returns the values of the parameters. */
  values(input: Values, scope: Values): unknown[];
}

/** Compiles a query whose values are placeholders. */
export function compile(compilable: Compilable): CompiledStatement {
  const { sql: text, parameters } = compilable.compile();
  return {
    name: nameOf(text),
    text,
    values: (input, scope) => parameters.map((part) => (part instanceof Placeholder ? part.read(input, scope) : part)),
  };
}

/** PostgreSQL limits names to 63 bytes. */
const nameOf = (text: string): string => `s_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
