import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import {
  checkAuditPartitions,
  connect,
  type Database,
  maintainAuditPartitions,
  migrate,
  MissingAuditPartitionError,
  newId,
} from '../../src/index.ts';
import { Writer } from './writer.ts';

let url: string;
let database: Database;
let writer: Writer;
beforeEach(async () => {
  url = await createTestDatabase();
  const opened = connect({ connectionString: url, max: 3 });
  onTestFinished(() => opened.close());
  database = opened;
  writer = await Writer.open(url);
});

const maintain = (signal?: AbortSignal) => maintainAuditPartitions(database, { retentionDays: 365, ...(signal && { signal }) });
const insert = (by: Writer, occurredAt = 'now') =>
  by.sql("insert into journal (id, occurred_at, actor_kind, operation) values ($1, $2, 'SYSTEM', 'test')", [newId(), occurredAt]);
const attached = async () =>
  (await writer.sql<{ name: string }>(`select relid::text as name from pg_partition_tree('journal') where level = 1 order by 1`)).map(
    ({ name }) => name,
  );
const exists = async (name: string) => (await writer.sql('select from pg_class where relname = $1', [name])).length > 0;
/** The names of the partitions from this month to that many months ahead. */
const ahead = (months: number) =>
  Array.from({ length: months + 1 }, (_, step) => {
    const now = new Date();
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step));
    return `journal_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  });
/** The next partitions, each with its bounds. */
const bounds = () =>
  writer.sql(`select relname, pg_get_expr(relpartbound, oid) as bounds from pg_class where relispartition and relkind = 'r' order by 1`);
/** Adds a partition for this month, such as 2020-01, with one entry. */
async function addOldPartition(month: string): Promise<string> {
  const name = `journal_${month.replace('-', '_')}`;
  const start = `timestamptz '${month}-01 00:00Z'`;
  await writer.sql(`create table ${name} (like journal including all)`);
  await writer.sql(`alter table journal attach partition ${name} for values from (${start}) to (${start} + interval '1 month')`);
  await insert(writer, `${month}-15T00:00:00Z`);
  return name;
}
/** A month that began this many days ago or earlier. */
const monthBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 7);

describe('entries', () => {
  test.each(['update %s set code = null', 'delete from %s', 'truncate %s'])('cannot be changed: %s', async (statement) => {
    await insert(writer);
    for (const table of ['journal', ...ahead(3).slice(0, 1)])
      await expect(writer.sql(statement.replace('%s', table))).rejects.toThrow('Audit entries cannot be changed');
    expect(await writer.sql('select from journal')).toHaveLength(1);
  });

  test('outside the partitions are rejected', async () => {
    await expect(insert(writer, '2020-01-15T00:00:00Z')).rejects.toThrow('no partition of relation "journal" found');
  });
});

describe('partitions', () => {
  test('exist three months ahead after the migration, and again after each run and each migration', async () => {
    expect(await attached()).toEqual(ahead(3));
    for (const create of [maintain, () => migrate(url)]) {
      for (const name of ahead(3).slice(1)) await writer.sql(`drop table ${name}`);
      await expect(checkAuditPartitions(database.pool)).rejects.toThrow(MissingAuditPartitionError);
      await Promise.all([create(), create(), create()]);
      expect(await attached()).toEqual(ahead(3));
      await checkAuditPartitions(database.pool);
    }
  });

  test.each(['America/Sao_Paulo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])('are the same with the time zone %s', async (TimeZone) => {
    const expected = await bounds();
    for (const name of ahead(3)) await writer.sql(`drop table ${name}`);
    await (await Writer.open(url, { TimeZone })).sql('select create_audit_partitions(3)');
    expect(await bounds()).toEqual(expected);
  });

  test('are created without blocking writers', async () => {
    await writer.sql(`drop table ${ahead(3)[3]}`);
    const [open, other] = [await Writer.open(url), await Writer.open(url, { lock_timeout: '100ms' })];
    await open.sql('begin');
    await insert(open);
    await maintain();
    await insert(other);
    expect(await attached()).toEqual(ahead(3));
    await open.commit();
  });
});

describe('a partition', () => {
  test('is removed when all its entries are older than the retention time', async () => {
    const [old, kept] = [await addOldPartition('2020-01'), await addOldPartition(monthBefore(365))];
    expect(await maintain()).toEqual([old]);
    expect(await attached()).toEqual([kept, ...ahead(3)]);
    expect(await exists(old)).toBe(false);
    expect(await writer.sql('select from journal')).toHaveLength(1);
    expect(await maintain()).toEqual([]);
  });

  test('is removed without blocking writers, while a transaction with an uncommitted entry is open', async () => {
    const old = await addOldPartition('2020-01');
    const [open, other] = [await Writer.open(url), await Writer.open(url, { lock_timeout: '100ms' })];
    await open.sql('begin');
    await insert(open);
    const removing = maintain();
    const isDetaching = () => writer.sql('select from pg_inherits where inhdetachpending');
    await expect.poll(isDetaching).toHaveLength(1);
    await insert(other);
    await insert(open);
    expect(await other.sql('select from journal')).toHaveLength(1);
    // Another process does nothing meanwhile.
    expect(await maintain()).toBeNull();
    await open.commit();
    expect(await removing).toEqual([old]);
    expect(await exists(old)).toBe(false);
    expect(await writer.sql('select from journal')).toHaveLength(3);
  });

  /** Detaches a partition, and gives up while another transaction uses the audit log. Returns that transaction. */
  async function interruptDetach(name: string): Promise<Writer> {
    const open = await Writer.open(url);
    await open.sql('begin');
    await insert(open);
    const impatient = await Writer.open(url, { statement_timeout: '300ms' });
    const detach = impatient.sql(`alter table journal detach partition ${name} concurrently`);
    await expect(detach).rejects.toThrow('statement timeout');
    expect(await writer.sql('select from pg_inherits where inhdetachpending')).toHaveLength(1);
    return open;
  }

  test('whose removal was interrupted is removed by the next run, before others', async () => {
    const names = [await addOldPartition('2020-01'), await addOldPartition('2020-02'), await addOldPartition('2020-03')];
    const open = await interruptDetach(names[1] ?? '');
    await open.commit();
    expect(await maintain(AbortSignal.timeout(60_000))).toEqual(names);
    expect(await attached()).toEqual(ahead(3));
  });

  test('whose removal was interrupted is removed without waiting for open transactions', async () => {
    const old = await addOldPartition('2020-01');
    const open = await interruptDetach(old);
    expect(await maintain()).toEqual([old]);
    await open.commit();
  });

  test('that was detached but not dropped is dropped, unless it is young or not a partition', async () => {
    const [old, young] = [await addOldPartition('2020-01'), await addOldPartition(monthBefore(365))];
    for (const name of [old, young]) await writer.sql(`alter table journal detach partition ${name}`);
    await writer.sql('create table journal_2020_01_copy (id int)');
    expect(await maintain()).toEqual([old]);
    expect([await exists(old), await exists(young), await exists('journal_2020_01_copy')]).toEqual([false, true, true]);
  });

  test('stays when the signal is aborted', async () => {
    const old = await addOldPartition('2020-01');
    await expect(maintain(AbortSignal.abort())).rejects.toThrow(/abort/);
    expect(await attached()).toEqual([old, ...ahead(3)]);
    // The lock is free as soon as PostgreSQL has closed the connection.
    await expect.poll(() => maintain()).toEqual([old]);
  });
});

test('a role that is a member of the owner can add and remove partitions, another role cannot', async () => {
  const old = await addOldPartition('2020-01');
  const role = `role_${newId().replaceAll('-', '')}`;
  await writer.sql(`create role ${role} login password 'x'`);
  const address = Object.assign(new URL(url), { username: role, password: 'x' }).href;
  const asRole = connect({ connectionString: address, max: 1 });
  onTestFinished(async () => {
    await asRole.close();
    await database.pool.query(`drop role ${role}`);
  });
  const run = () => maintainAuditPartitions(asRole, { retentionDays: 365 });
  await expect(run()).rejects.toThrow('must be owner of table journal');
  const owner = pg.escapeIdentifier(new URL(url).username);
  await writer.sql(`grant ${owner} to ${role}`);
  expect(await run()).toEqual([old]);
});
