import { isDeadlock } from '@profile-service/db';
import type pg from 'pg';
import type { FaultyPostgres } from '../environment/postgres.ts';
import { eventually } from '../../../../test/eventually.ts';
import { type Fault, rateLimited, unavailable } from '../fault.ts';
import { repeat } from './repeat.ts';

const part = 'PostgreSQL';
const allowed = [unavailable];
const ofService = "application_name like 'profile-service%'";
/** While the database hangs, a tenant reaches its limit of concurrent requests: those over it wait for 5 seconds. */
const whileHanging = [...allowed, rateLimited];
/** Longer than the service waits for a statement, in seconds. */
const hanging = { part, allowed: whileHanging, minimumSeconds: 11 } as const;

/** The faults of a server. */
export function postgresFaults(postgres: FaultyPostgres): readonly Fault[] {
  const { proxy, disk } = postgres;
  const fillDisk = repeat(100, () => disk.fill());
  const endTransactions = `select pg_terminate_backend(pid) from pg_stat_activity where ${ofService} and xact_start is not null`;
  return [
    { part, name: 'killed (SIGKILL) and started again', allowed, begin: () => postgres.signal('SIGKILL'), end: () => postgres.start() },
    {
      part,
      name: 'primary killed (SIGKILL), synchronous standby promoted',
      allowed,
      prepare: () => postgres.addStandby(),
      begin: () => postgres.signal('SIGKILL'),
      end: () => postgres.promoteStandby(),
    },
    { part, name: 'shut down and started again', allowed, begin: () => postgres.signal('SIGINT'), end: () => postgres.start() },
    { part, name: 'unreachable', allowed, begin: async () => proxy.cut(), end: async () => proxy.forward() },
    { part, name: 'connections cut in mid-transaction, again and again', allowed, ...repeat(50, () => postgres.sql(endTransactions)) },
    {
      ...hanging,
      name: 'network silent: connections stay open and carry no data',
      begin: async () => proxy.freeze(),
      end: async () => proxy.forward(),
    },
    {
      part,
      name: 'all processes stopped (SIGSTOP) and continued',
      allowed: whileHanging,
      begin: () => postgres.signalAll('SIGSTOP'),
      end: () => postgres.signalAll('SIGCONT'),
    },
    { ...hanging, name: 'statements on one table hang', ...lockTables(postgres, 'apps') },
    {
      ...hanging,
      name: 'pool exhausted: every connection waits for a lock',
      ...lockTables(postgres, 'organizations, attachments, users'),
    },
    { part, name: 'no connection left for the service', allowed, ...takeConnections(postgres) },
    {
      part,
      name: 'disk full',
      allowed,
      begin: fillDisk.begin,
      async end(environment) {
        await fillDisk.end(environment);
        await disk.free();
        // PostgreSQL recovers or ends if it cannot write its log. If it ends, its supervisor starts it again.
        await startUnlessRunning(postgres);
      },
    },
  ];
}

/** Locks tables, so that every statement on them waits. */
function lockTables(postgres: FaultyPostgres, tables: string): Pick<Fault, 'begin' | 'end'> {
  let client: pg.Client | undefined;
  return {
    async begin() {
      client = await postgres.connect();
      while (!(await lock(client, tables))) await client.query('rollback');
    },
    end: async () => client?.end(),
  };
}

/** Locks tables in a transaction. Returns false if that is a deadlock with a transaction of the load. */
async function lock(client: pg.Client, tables: string): Promise<boolean> {
  try {
    await client.query(`begin; lock table ${tables} in access exclusive mode`);
    return true;
  } catch (error) {
    if (isDeadlock(error)) return false;
    throw error;
  }
}

/** Takes all connections of the server, also those that the service had. */
function takeConnections(postgres: FaultyPostgres): Pick<Fault, 'begin' | 'end'> {
  const taken: pg.Client[] = [];
  return {
    async begin() {
      const first = await postgres.connect();
      taken.push(first);
      for (let isLeft = true; isLeft;) {
        await first.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofService}`);
        isLeft = await postgres.connect().then(
          (client) => taken.push(client) > 0,
          () => false,
        );
      }
    },
    end: async () => void (await Promise.all(taken.splice(0).map((client) => client.end()))),
  };
}

/** Waits until the server accepts connections, and starts it if it has ended. It may still be in recovery, or about to end. */
const startUnlessRunning = (postgres: FaultyPostgres): Promise<unknown> =>
  eventually(async () => {
    if (!(await postgres.isRunning())) await postgres.start();
    await postgres.sql('select 1');
  });
