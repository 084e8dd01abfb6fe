import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Provided } from './provided.ts';

/** Creates a migrated database for a test file. Returns its connection string. */
export function createTestDatabase(): Promise<string> {
  const { templateUrl }: Provided['postgres'] = inject('postgres');
  return createDatabase('test', new URL(templateUrl).pathname.slice(1));
}

/** Creates an empty database. Returns its connection string. */
export function createEmptyDatabase(): Promise<string> {
  return createDatabase('empty', 'template0');
}

/** Databases are never dropped: the server is deleted after the run, and a forced drop breaks connections that a pool is about to close. */
async function createDatabase(kind: string, template: string): Promise<string> {
  const { adminUrl }: Provided['postgres'] = inject('postgres');
  const name = `${kind}_${randomUUID()}`;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)} strategy file_copy`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = name;
  return url.href;
}
