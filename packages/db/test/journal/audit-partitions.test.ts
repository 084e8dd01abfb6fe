import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  checkAuditPartitions,
  connect,
  type Database,
  maintainAuditPartitions,
  migrate,
  MissingAuditPartitionError,
  newId,
} from '../../src/index.ts';
import { openDatabase } from '../use-database.ts';
import { openWriter, type Writer } from './writer.ts';

let url: string;
let database: Database;
let writer: Writer;
beforeEach(async () => {
  ({ url, database } = await openDatabase({ max: 3 }));
  writer = await openWriter(url);
});

const maintain = (signal?: AbortSignal) => maintainAuditPartitions(database, { retentionDays: 365, ...(signal && { signal }) });
const insert = (by: Writer, occurredAt = 'now') =>
  by.sql("insert into journal (id, occurred_at, actor_kind, operation) values ($1, $2, 'SYSTEM', 'test')", [newId(), occurredAt]);
const entries = () => writer.sql('select from journal');
const namesIn = async (query: string) => (await writer.sql<{ name: string }>(query)).map(({ name }) => name);
const attached = () => namesIn(`select relid::text as name from pg_partition_tree('journal') where level = 1 order by 1`);
const detaching = () => namesIn('select inhrelid::regclass::text as name from pg_inherits where inhdetachpending');
const exists = async (name: string) => (await writer.sql('select from pg_class where relname = $1', [name])).length > 0;
/** The names of the partitions from this month to three months ahead. */
const ahead = [0, 1, 2, 3].map((step) => {
  const now = new Date();
  return nameOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step)).toISOString());
});
/** The next partitions, each with its bounds. */
const bounds = () =>
  writer.sql(`select relname, pg_get_expr(relpartbound, oid) as bounds from pg_class where relispartition and relkind = 'r' order by 1`);
/** Adds a partition for this month, such as 2020-01, with one entry. */
async function addOldPartition(month: string): Promise<string> {
  const name = nameOf(month);
  const start = `timestamptz '${month}-01 00:00Z'`;
  await writer.sql(`create table ${name} (like journal including all)`);
  await writer.sql(`alter table journal attach partition ${name} for values from (${start}) to (${start} + interval '1 month')`);
  await insert(writer, `${month}-15T00:00:00Z`);
  return name;
}
function nameOf(time: string): string {
  return `journal_${time.slice(0, 7).replace('-', '_')}`;
}
/** The month of a year ago, which has entries that are younger than that. */
const youngMonth = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 7);
/** Opens a transaction that has added an entry, and another session that does not wait for locks. */
async function openTransaction() {
  const [open, other] = [await openWriter(url), await openWriter(url, { lock_timeout: '100ms' })];
  await open.sql('begin');
  await insert(open);
  return { open, other };
}

test.each(['update %s set code = null', 'delete from %s', 'truncate %s'])('entries cannot be changed: %s', async (statement) => {
  await insert(writer);
  for (const table of ['journal', ahead[0] as string])
    await expect(writer.sql(statement.replace('%s', table))).rejects.toThrow('Audit entries cannot be changed');
  expect(await entries()).toHaveLength(1);
});

describe('partitions', () => {
  test('exist three months ahead after the migration, and again after each run and each migration', async () => {
    await expect(insert(writer, '2020-01-15T00:00:00Z')).rejects.toThrow('no partition of relation "journal" found');
    expect(await attached()).toEqual(ahead);
    for (const create of [maintain, () => migrate(url)]) {
      for (const name of ahead.slice(1)) await writer.sql(`drop table ${name}`);
      await expect(checkAuditPartitions(database.pool)).rejects.toThrow(MissingAuditPartitionError);
      await Promise.all([create(), create(), create()]);
      expect(await attached()).toEqual(ahead);
      await checkAuditPartitions(database.pool);
    }
  });

  test('are the same in every time zone', async () => {
    const expected = await bounds();
    for (const TimeZone of ['America/Sao_Paulo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      for (const name of ahead) await writer.sql(`drop table ${name}`);
      await (await openWriter(url, { TimeZone })).sql('select create_audit_partitions(3)');
      expect(await bounds()).toEqual(expected);
    }
  });
});

describe('a partition', () => {
  test('is removed when all its entries are older than the retention time', async () => {
    const [old, kept] = [await addOldPartition('2020-01'), await addOldPartition(youngMonth)];
    await expect(maintain(AbortSignal.abort())).rejects.toThrow(/abort/);
    expect(await attached()).toEqual([old, kept, ...ahead]);
    // The lock is free as soon as PostgreSQL has closed the connection.
    await expect.poll(() => maintain()).toEqual([old]);
    expect(await attached()).toEqual([kept, ...ahead]);
    expect(await exists(old)).toBe(false);
    expect(await entries()).toHaveLength(1);
    expect(await maintain()).toEqual([]);
  });

  test('is removed, and the next ones are created, without blocking writers while a transaction with an uncommitted entry is open', async () => {
    const old = await addOldPartition('2020-01');
    await writer.sql(`drop table ${ahead[3]}`);
    const { open, other } = await openTransaction();
    const removing = maintain();
    await expect.poll(detaching).toEqual([old]);
    expect(await exists(ahead[3] as string)).toBe(true);
    await insert(other);
    await insert(open);
    expect(await other.sql('select from journal')).toHaveLength(1);
    // Another process does nothing meanwhile.
    expect(await maintain()).toBeNull();
    await open.sql('commit');
    expect(await removing).toEqual([old]);
    expect(await entries()).toHaveLength(3);
  });

  test('whose removal was interrupted is removed before others, without waiting for open transactions', async () => {
    const names = [await addOldPartition('2020-01'), await addOldPartition('2020-02'), await addOldPartition('2020-03')];
    const { open } = await openTransaction();
    const impatient = await openWriter(url, { statement_timeout: '300ms' });
    await expect(impatient.sql(`alter table journal detach partition ${names[1]} concurrently`)).rejects.toThrow('statement timeout');
    expect(await detaching()).toEqual([names[1]]);
    const removing = maintain(AbortSignal.timeout(60_000));
    await expect.poll(detaching).toEqual([names[0]]);
    await open.sql('commit');
    expect(await removing).toEqual(names);
    expect(await attached()).toEqual(ahead);
  });

  test('that was detached but not dropped is dropped, unless it is young or not a partition', async () => {
    const [old, young] = [await addOldPartition('2020-01'), await addOldPartition(youngMonth)];
    for (const name of [old, young]) await writer.sql(`alter table journal detach partition ${name}`);
    await writer.sql('create table journal_2020_01_copy (id int)');
    expect(await maintain()).toEqual([old]);
    expect([await exists(old), await exists(young), await exists('journal_2020_01_copy')]).toEqual([false, true, true]);
  });
});

test('a role that is a member of the owner can add and remove partitions, another role cannot', async () => {
  const old = await addOldPartition('2020-01');
  const role = `role_${newId().replaceAll('-', '')}`;
  await writer.sql(`create role ${role} login password 'x'`);
  const asRole = connect({ connectionString: Object.assign(new URL(url), { username: role, password: 'x' }).href, max: 1 });
  onTestFinished(async () => {
    await asRole.close();
    await database.pool.query(`drop role ${role}`);
  });
  const run = () => maintainAuditPartitions(asRole, { retentionDays: 365 });
  await expect(run()).rejects.toThrow('must be owner of table journal');
  await writer.sql(`grant ${pg.escapeIdentifier(new URL(url).username)} to ${role}`);
  expect(await run()).toEqual([old]);
});
