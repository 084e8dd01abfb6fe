import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Provided } from './provided.ts';

/** Makes a migrated database for a test file and answers its connection string. */
export function createTestDatabase(): Promise<string> {
  const { templateUrl }: Provided['postgres'] = inject('postgres');
  return createDatabase('test', new URL(templateUrl).pathname.slice(1));
}

/** Makes a database with nothing in it and answers its connection string. */
export function createEmptyDatabase(): Promise<string> {
  return createDatabase('empty', 'template0');
}

/** It is never dropped: the whole server goes when the run ends, and a forced drop would break connections that a pool is just closing. */
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
