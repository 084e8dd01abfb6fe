import pg from 'pg';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { startReplicatedPostgres } from '../../../../test/replicated-postgres.ts';
import { Replica, ReplicaLagError } from '../../src/index.ts';
import { type Query, readPrimaryPosition, readReplicaPosition } from '../../src/connection/replica/positions.ts';
import { startProxy } from '../../../../test/proxy.ts';

const postgres = await startReplicatedPostgres();
const standby = await postgres.addReplica();
const primary = new pg.Client({ connectionString: postgres.url });
await primary.connect();
await primary.query('create table counter as select 0 as value');
afterEach(() => standby.resumeReplay());
afterAll(async () => {
  await primary.end();
  await postgres.stop();
});

/** Follows the standby. `state()` is the message of the last error, or `current`. */
function follow({ primaryUrl = postgres.url, url = standby.url } = {}) {
  let error: Error | undefined = new Error('not compared yet');
  const follower = new Replica({
    primary: { connectionString: primaryUrl },
    replica: { connectionString: url },
    pool: { max: 2 },
    onState: (latest) => (error = latest),
  });
  onTestFinished(() => follower.close());
  return {
    follower,
    isCurrent: () => follower.current() !== undefined,
    error: () => error,
    state: () => error?.message ?? 'current',
    /** Reads the counter on the replica; undefined if it is not current. */
    read: async () => (await follower.current()?.pool.query<{ value: number }>('select value from counter'))?.rows[0]?.value,
  };
}

/** Increments the counter in a commit that followers do not know of. */
const increment = async () =>
  (await primary.query<{ value: number }>('update counter set value = value + 1 returning value')).rows[0]?.value;

test('is not current after a commit of this process until it has replayed it, and reports a lag of more than 5 seconds', async () => {
  const { follower, isCurrent, error, state, read } = follow();
  await expect.poll(isCurrent).toBe(true);
  await standby.pauseReplay();
  const value = await increment();
  follower.noteCommit();
  expect(isCurrent()).toBe(false);
  await expect.poll(() => follower.lagBytes).toBeGreaterThan(0);
  await expect.poll(error).toBeInstanceOf(ReplicaLagError);
  expect(isCurrent()).toBe(false);
  await standby.resumeReplay();
  await expect.poll(isCurrent).toBe(true);
  await expect.poll(state).toBe('current');
  expect(follower.lagBytes).toBe(0);
  // A read that misses the 100 ms on a busy machine returns undefined, but no read returns an older value.
  await expect.poll(read).toBe(value);
});

test('a page header without a record is no lag', async () => {
  const replica = new pg.Client({ connectionString: standby.url });
  await replica.connect();
  const queryOn =
    (client: pg.Client): Query =>
    async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
      (await client.query<Row>(text, values)).rows;
  const compare = async () => {
    // Begins a new file, whose header has 40 bytes, unless the last file has no record.
    await primary.query('select pg_switch_wal()');
    return readReplicaPosition(queryOn(replica), await readPrimaryPosition(queryOn(primary)));
  };
  await expect.poll(compare).toMatchObject({ lagBytes: 40, hasReplayed: true });
  await replica.end();
});

test.each(['primary', 'replica'] as const)('is not current while the connection to the %s hangs', async (held) => {
  const proxy = await startProxy(held === 'primary' ? postgres.url : standby.url);
  const { isCurrent, read, error } = follow(held === 'primary' ? { primaryUrl: proxy.url } : { url: proxy.url });
  const value = await increment();
  await expect.poll(read).toBe(value);
  proxy.hold(true);
  await expect.poll(isCurrent).toBe(false);
  await expect.poll(error).toBeInstanceOf(Error);
  proxy.hold(false);
  await expect.poll(read).toBe(value);
  await proxy.stop();
});

test('is never current if the server has another database or belongs to another cluster', async () => {
  const other = await startReplicatedPostgres();
  for (const [url, reason] of [
    [Object.assign(new URL(standby.url), { pathname: 'postgres' }).href, 'the database has another name'],
    [(await other.addReplica()).url, 'belongs to another cluster'],
  ] as const) {
    const { state, isCurrent } = follow({ url });
    await expect.poll(state).toContain(reason);
    expect(isCurrent()).toBe(false);
  }
  await other.stop();
});

test('rejects a pool connection that leads to another server, and follows that server', async () => {
  const [first, second] = [standby, await postgres.addReplica()];
  const proxy = await startProxy(first.url);
  const { read, isCurrent, state } = follow({ url: proxy.url });
  await expect.poll(isCurrent).toBe(true);
  proxy.redirect(second.url);
  const differentServers = 'Connections to the replica lead to different servers';
  await expect.poll(() => read().catch((error: Error) => error.message)).toBe(differentServers);
  await expect.poll(state).toBe(differentServers);
  // The second server is usable by itself, so the next connections agree.
  await first.pauseReplay();
  const value = await increment();
  await expect.poll(read).toBe(value);
  await proxy.stop();
  await second.stop();
});

test('is not current after it was promoted, nor on a timeline that the primary has left', async () => {
  const [promoted, left] = [await postgres.addReplica(), standby];
  const { isCurrent, state } = follow({ url: promoted.url });
  await expect.poll(isCurrent).toBe(true);
  await promoted.promote();
  await expect.poll(state).toBe('the server is not a standby');
  expect(isCurrent()).toBe(false);

  // The old primary and its standby go on, so that the standby's position is behind that of the new primary.
  for (let index = 0; index < 100; index += 1) await increment();
  const afterFailover = follow({ primaryUrl: promoted.url, url: left.url });
  await expect.poll(afterFailover.state).toContain('has not yet followed the last failover');
  expect(afterFailover.isCurrent()).toBe(false);
});
