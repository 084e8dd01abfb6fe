import { sql } from 'kysely';

/** The time of the transaction, by the clock of the database: all stored times come from it. */
export const now = sql<string>`now()`;
