import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '@profile-service/local-stack';
import pg from 'pg';
import { expect } from 'vitest';
import { fastFolder } from '../../../../test/fast-folder.ts';

const run = promisify(execFile);
const fast = { fsync: 'off' };

/** A PostgreSQL that archives its write-ahead log, as docs/run/backup.md configures it. */
export interface ArchivedPostgres {
  url: string;
  /** Makes a base backup with pg_basebackup. */
  baseBackup(): Promise<void>;
  /** The time of the server. What commits later is after it. */
  now(): Promise<string>;
  /** Waits until the log of all commits until now is archived. */
  archive(): Promise<void>;
  /** Stops the server, and recovers the base backup to a point in time. Returns the connection string of the promoted server. */
  recover(to: string): Promise<string>;
  /** Stops the servers and deletes their data. */
  remove(): Promise<void>;
}

/** Runs a query on a connection of its own. Returns its first value. */
async function query<Value>(connectionString: string, text: string, values: unknown[] = []): Promise<Value> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Value[]>({ text, values, rowMode: 'array' });
    return rows[0]?.[0] as Value;
  } finally {
    await client.end();
  }
}

/** Starts an empty server. */
export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const folder = await mkdtemp(join(await fastFolder(), 'profile-service-archived-'));
  const [primary, recovered, archive] = [join(folder, 'primary'), join(folder, 'recovered'), join(folder, 'archive')];
  await mkdir(archive);
  const archiving = { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` };
  const servers = [await startPostgres({ dataDir: primary, settings: { ...fast, ...archiving } })];
  const [{ url } = { url: '' }] = servers;

  return {
    url,
    async baseBackup() {
      await mkdir(recovered, { mode: 0o700 });
      const { username, password, hostname, port } = new URL(url);
      const env = { ...process.env, PGPASSWORD: password };
      const address = ['--host', hostname, '--port', port, '--username', username];
      await run('pg_basebackup', [...address, '--pgdata', join(recovered, 'cluster'), '--checkpoint=fast'], { env });
      // The superuser keeps its password.
      await cp(join(primary, 'password'), join(recovered, 'password'));
    },
    now: () => query<string>(url, 'select clock_timestamp()::text'),
    async archive() {
      const file = await query(url, 'select pg_walfile_name(pg_current_wal_lsn())');
      await query(url, 'select pg_switch_wal()');
      await expect.poll(() => query(url, 'select last_archived_wal >= $1 from pg_stat_archiver', [file])).toBe(true);
    },
    async recover(to) {
      await servers[0]?.stop();
      await writeFile(join(recovered, 'cluster', 'recovery.signal'), '');
      const target = { recovery_target_time: to, recovery_target_action: 'promote' };
      const settings = { ...fast, restore_command: `cp ${archive}/%f %p`, ...target };
      const server = await startPostgres({ dataDir: recovered, settings });
      servers.push(server);
      // Until its promotion, it accepts reads only.
      await expect.poll(() => query(server.url, 'select pg_is_in_recovery()')).toBe(false);
      return server.url;
    },
    async remove() {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true });
    },
  };
}
