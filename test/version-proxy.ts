import pg from 'pg';
import { type Proxy, startProxy } from './proxy.ts';

/**
 * Starts a proxy through which PostgreSQL reports another `server_version_num`, for example 140019. A version that the service rejects cannot be installed
 * beside the supported ones.
 */
export async function startVersionProxy(connectionString: string, version: number): Promise<Proxy> {
  const actual = await versionOf(connectionString);
  const change = (data: Buffer) => Buffer.from(data.toString('latin1').replaceAll(actual, String(version)), 'latin1');
  return startProxy(connectionString, { change });
}

async function versionOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    return rows[0]?.server_version_num ?? '';
  } finally {
    await client.end();
  }
}
