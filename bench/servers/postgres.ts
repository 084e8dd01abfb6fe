import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@profile-service/local-stack';
import pg from 'pg';
import { fastFolder } from '../../test/fast-folder.ts';
import { parentOf } from './processors.ts';

const settings = {
  // Nothing survives a crash, which makes loading fast and takes the disk out of the figures.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Of a server with 4 GB of memory.
  shared_buffers: '1GB',
  effective_cache_size: '3GB',
  work_mem: '4MB',
  max_wal_size: '16GB',
  max_connections: '100',
  // The data is vacuumed and analyzed after loading. Autovacuum would run in some measurements and not in others.
  autovacuum: 'off',
  // Counts statements, but only in passes of their own.
  shared_preload_libraries: 'pg_stat_statements',
};

export interface BenchPostgres {
  /** Connection string for creating databases. */
  adminUrl: string;
  /** Connection string of an empty database. */
  url: string;
  /** Such as `18.4`. */
  version: string;
  /** The process whose children are the backends. */
  postmaster: number;
  stop(): Promise<void>;
}

/** Starts PostgreSQL for a run. `stop` deletes its data. @param bytes how much data it will hold */
export async function startBenchPostgres(bytes: number): Promise<BenchPostgres> {
  const dataDir = await mkdtemp(join(await fastFolder(bytes), 'profile-service-bench-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const { url, adminUrl, stop } = await startPostgres({ dataDir, settings });
    return { url, adminUrl, ...(await describeServer(adminUrl)), stop: () => stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function describeServer(adminUrl: string): Promise<Pick<BenchPostgres, 'version' | 'postmaster'>> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    // Not on the command line, whose settings cannot be changed later.
    await client.query(`alter system set pg_stat_statements.track = 'none'`);
    await client.query('select pg_reload_conf()');
    const { rows } = await client.query<{ pid: number; version: string }>(
      `select pg_backend_pid() as pid, current_setting('server_version') as version`,
    );
    const [server = { pid: 0, version: '' }] = rows;
    const postmaster = parentOf(server.pid);
    if (postmaster === undefined) throw new Error('The process of PostgreSQL was not found');
    return { postmaster, version: server.version };
  } finally {
    await client.end();
  }
}
