import pg from 'pg';

/** Returns the connection string of `database` for the superuser. */
export const databaseUrl = (port: number, password: string, database: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

/** Creates the database unless it exists. */
export async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, ssl: false, connectionTimeoutMillis: 30_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
