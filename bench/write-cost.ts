/**
 * `node bench/write-cost.ts [--rounds N] [--writes N]` prints what a write costs PostgreSQL: the CPU time of its transaction with and without the service's
 * triggers and the statement that records the write, and the bytes that the write leaves in the tables of the audit log and the events.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@profile-service/local-stack';
import pg from 'pg';
import { fastFolder } from '../test/fast-folder.ts';
import { root } from './options.ts';
import { cpuTimeOf } from './servers/cpu-time.ts';
import { prepareTemplate } from './servers/database.ts';
import { prepareRecords, writeKinds } from './write-cost/statements.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, writes: { type: 'string', default: '400' } },
});
const [rounds, writes, warmUps] = [Number(options.rounds), Number(options.writes), 20];

const tables = ['organizations', 'organization_addresses', 'organization_contacts', 'organization_tenants', 'memberships'];
const migrations = join(root, 'packages/db/src/migrations');
const dataDir = await mkdtemp(join(await fastFolder(2 ** 30), 'profile-service-write-cost-'));
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', shared_buffers: '512MB' };
const postgres = await startPostgres({ dataDir, settings });
try {
  prepareTemplate({ migrate: join(migrations, 'migrate-command.ts'), geography: join(migrations, 'load-geography-command.ts') }, postgres);
  const client = new pg.Client({ connectionString: postgres.url, options: '-c TimeZone=UTC -c random_page_cost=1.1 -c jit=off' });
  await client.connect();
  try {
    await measure(client);
  } finally {
    await client.end();
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true });
}

async function measure(client: pg.Client): Promise<void> {
  const world = await prepareRecords(client);
  const pid = Number((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid);
  let n = 0;
  async function costOf(write: (n: number) => Promise<unknown>): Promise<number> {
    for (let warm = 0; warm < warmUps; warm += 1) await write((n += 1));
    const before = cpuTimeOf(pid);
    for (let count = 0; count < writes; count += 1) await write((n += 1));
    return (cpuTimeOf(pid) - before) / writes;
  }
  const variants = ['all', 'no triggers'];
  const table: Record<string, Record<string, number>> = {};
  for (const [name, run] of Object.entries(writeKinds(client, world))) {
    const costs: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round += 1)
      for (const variant of variants) {
        const hasTriggers = variant === 'all';
        await toggleTriggers(client, hasTriggers ? 'enable' : 'disable');
        (costs[variant] ??= []).push(await costOf((number) => run(number, hasTriggers)));
      }
    await toggleTriggers(client, 'enable');
    const bytes = await bytesPerWrite(client, () => costOf((number) => run(number, true)));
    table[name] = {
      ...Object.fromEntries(Object.entries(costs).map(([key, list]) => [`${key}, µs`, Math.round(Math.min(...list))])),
      bytes: Math.round(bytes),
    };
  }
  console.table(table);
}

async function toggleTriggers(client: pg.Client, how: 'enable' | 'disable'): Promise<void> {
  for (const table of tables) await client.query(`alter table ${table} ${how} trigger user`);
}

/** The bytes by which the tables of the audit log and the events grow for each write. */
async function bytesPerWrite(client: pg.Client, run: () => Promise<unknown>): Promise<number> {
  const size = async () =>
    Number(
      (
        await client.query<{ bytes: string }>(
          `select sum(pg_total_relation_size(oid)) as bytes from pg_class where relkind = 'r' and relname ~ '^(audit_entries_|journal_|events$)'`,
        )
      ).rows[0]?.bytes,
    );
  const [before, runs] = [await size(), 8];
  for (let count = 0; count < runs; count += 1) await run();
  return ((await size()) - before) / (runs * (writes + warmUps));
}
