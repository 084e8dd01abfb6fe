import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../connection/database.ts';

/** How many months ahead partitions exist. */
const monthsAhead = 3;
/** Key of the advisory lock of whoever creates or removes partitions. No other program uses it in this database. */
const advisoryLock = 7_316_204_119;
/** How long `createAuditPartitions` waits for another process, in milliseconds. */
const lockWaitMs = 60_000;

/** Tables named like partitions, also detached ones. The month is in the name. */
const partitions = `
  select pg_class.relname as name, relispartition as "isAttached", coalesce(inhdetachpending, false) as "isDetaching",
    (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') <= now() at time zone 'UTC' - make_interval(days => $1) as "isExpired"
  from pg_class left join pg_inherits on inhrelid = pg_class.oid
  where relkind = 'r' and relname ~ '^journal_[0-9]{4}_[0-9]{2}$'
    and relnamespace = (select relnamespace from pg_class where oid = 'journal'::regclass)
  order by relname`;

interface Partition {
  name: string;
  isAttached: boolean;
  /** An earlier removal was interrupted. Rows of the partition are no longer visible. */
  isDetaching: boolean;
  isExpired: boolean;
}

export interface AuditPartitionOptions {
  /** Entries are kept at least this long. */
  retentionDays: number;
  signal?: AbortSignal;
}

/**
 * Creates the partitions of the journal up to three months ahead, and removes those whose entries are all older than the retention time. No step blocks
 * writers. The removal waits for transactions that use the journal. If one takes longer than the statement timeout, the removal fails; the next run
 * finishes it.
 * @returns the removed partitions, or null if another process is doing this now
 */
export function maintainAuditPartitions({ pool }: Pick<Database, 'pool'>, options: AuditPartitionOptions): Promise<string[] | null> {
  return withAdvisoryLock(pool, async (client) => {
    await create(client);
    return removeExpired(client, options);
  });
}

/**
 * Creates the partitions of the audit log up to three months ahead.
 * @throws if another process has held the lock for a minute
 */
export async function createAuditPartitions(pool: pg.Pool): Promise<void> {
  const end = performance.now() + lockWaitMs;
  // Polls, because the removal waits for older snapshots: it would wait for a statement that waits for its lock.
  while (!(await withAdvisoryLock(pool, (client) => create(client)))) {
    if (performance.now() > end) throw new Error('Another process holds the lock of the partitions of the audit log');
    await pause(100);
  }
}

/** The audit log has no partition for the next month, so that no write could be recorded then. */
export class MissingAuditPartitionError extends Error {}

/**
 * Checks that the audit log has a partition for the next month.
 * @throws MissingAuditPartitionError, or the error of the query
 */
export async function checkAuditPartitions(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'journal'::regclass and not inhdetachpending
       and relname = 'journal_' || to_char(now() at time zone 'UTC' + interval '1 month', 'YYYY_MM')`,
  );
  if (rows.length === 0) throw new MissingAuditPartitionError('The audit log has no partition for the next month');
}

async function create(client: pg.ClientBase): Promise<true> {
  await client.query('select create_audit_partitions($1)', [monthsAhead]);
  return true;
}

async function removeExpired(client: pg.ClientBase, { retentionDays, signal }: AuditPartitionOptions): Promise<string[]> {
  const { rows } = await client.query<Partition>(partitions, [retentionDays]);
  // PostgreSQL rejects a concurrent detach while another one is not finished.
  for (const { name } of rows.filter(({ isDetaching }) => isDetaching))
    await client.query(`alter table journal detach partition ${name} finalize`);
  const removed: string[] = [];
  for (const { name, isAttached, isDetaching } of rows.filter(({ isExpired }) => isExpired)) {
    signal?.throwIfAborted();
    if (isAttached && !isDetaching) await client.query(`alter table journal detach partition ${name} concurrently`);
    await client.query(`drop table ${name}`);
    removed.push(name);
  }
  return removed;
}

/**
 * Runs the work on a connection that holds the advisory lock, outside a transaction. If it fails, closes the connection, which releases the lock.
 * @returns null if another process has the lock
 */
async function withAdvisoryLock<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T | null> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [advisoryLock]);
    const result = rows[0]?.taken ? await work(client) : null;
    if (rows[0]?.taken) await client.query('select pg_advisory_unlock($1)', [advisoryLock]);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
