import type { Kysely } from 'kysely';
import type { DB } from './schema.gen.ts';
import type { ScopedTable } from './scope.ts';

/** What a handler's database has: every table but the scoped ones, and but the links and grants that say what a scope holds. */
export type HandlerTables = Omit<DB, ScopedTable | 'organizationTenants' | 'membershipOrganizations'>;

/** A handler's database, or transaction. */
export type HandlerDatabase = Kysely<HandlerTables>;

/** Why a piece of code may see past the scope. */
export type UnscopedReason =
  /** Part 5's three routes, and the creation of an organization. */
  | 'creates the link'
  /** 4.7, and the deletion of an organization. */
  | 'ends the links'
  /** 4.3: the grants are replaced, after a look at the links. */
  | 'sets the grants of a membership'
  /** Objects without a record and records without an object, of whatever tenant. */
  | 'cleans the storage'
  /** Reference data and the demo world. */
  | 'loads data';

/** The same database, or transaction, without the scoped tables: what a handler gets. */
export function withoutScopedTables(db: Kysely<DB>): HandlerDatabase {
  return db as unknown as HandlerDatabase;
}

/** The same database, or transaction, with the scoped tables and no predicate on them. The reason stands for whoever reads the code. */
export function unscoped(db: HandlerDatabase, _reason: UnscopedReason): Kysely<DB> {
  return db as unknown as Kysely<DB>;
}
