import { randomUUID } from 'node:crypto';
import pg from 'pg';

/**
 * Creates a database as a copy of a template, to which nobody may be connected. Returns its connection string.
 * Databases are never dropped: the server is deleted after the run, and a forced drop breaks connections that a pool is about to close.
 */
export async function createDatabase(adminUrl: string, kind: string, templateUrl: string): Promise<string> {
  const [name, template] = [`${kind}_${randomUUID()}`, new URL(templateUrl).pathname.slice(1)];
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
