import { inject } from 'vitest';
import { createDatabase } from './create-database.ts';
import type { Provided } from './provided.ts';

/** Creates a migrated database for a test file. Returns its connection string. */
export function createTestDatabase(): Promise<string> {
  const { adminUrl, templateUrl }: Provided['postgres'] = inject('postgres');
  return createDatabase(adminUrl, 'test', templateUrl);
}

/** Creates a migrated database with the states and cities of Brazil. Returns its connection string. */
export function createTestDatabaseWithMap(): Promise<string> {
  const { adminUrl, mapTemplateUrl }: Provided['postgres'] = inject('postgres');
  return createDatabase(adminUrl, 'test', mapTemplateUrl);
}

/** Creates an empty database. Returns its connection string. */
export function createEmptyDatabase(): Promise<string> {
  const { adminUrl }: Provided['postgres'] = inject('postgres');
  return createDatabase(adminUrl, 'empty', new URL('template0', adminUrl).href);
}
