import { createHash } from 'node:crypto';
import {
  CamelCasePlugin,
  type Compilable,
  type CompiledQuery,
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

/** A compiled SQL text, and its parameters. */
export interface CompiledStatement {
  readonly query: CompiledQuery;
  parameters(input: Values, scope: Values): unknown[];
}

const names = new Map<string, string>();

/** Returns the name of the prepared statement; undefined if the text does not come from `compile`. */
export const nameOf = (text: string): string | undefined => names.get(text);

/** Compiles a query whose values are placeholders. */
export function compile(compilable: Compilable): CompiledStatement {
  const query = compilable.compile();
  if (!names.has(query.sql)) names.set(query.sql, hashOf(query.sql));
  const parts = query.parameters;
  return {
    query,
    parameters: (input, scope) => parts.map((part) => (part instanceof Placeholder ? part.read(input, scope) : part)),
  };
}

/** The same on every instance. PostgreSQL limits names to 63 bytes. */
const hashOf = (text: string): string => `s_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
