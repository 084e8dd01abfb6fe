import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Provided } from './provided.ts';

/**
 * Makes an empty, migrated database and answers its connection string. It is not dropped: the whole server goes when the run ends,
 * and a forced drop would break connections that a pool is just closing.
 */
export async function createTestDatabase(): Promise<string> {
  const { adminUrl, templateUrl }: Provided['postgres'] = inject('postgres');
  const url = new URL(templateUrl);
  const template = url.pathname.slice(1);
  url.pathname = `test_${randomUUID()}`;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const name = pg.escapeIdentifier(url.pathname.slice(1));
    await client.query(`create database ${name} template ${pg.escapeIdentifier(template)} strategy file_copy`);
  } finally {
    await client.end();
  }
  return url.href;
}
