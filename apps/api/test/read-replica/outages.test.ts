import { newState } from '@profile-service/contracts/examples';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startProxy } from '../../../../test/proxy.ts';
import { type ReplicaInstance, startReplicaInstance, useStage } from './stage.ts';

const stage = useStage();

/** Reads continuously while the work runs. Every read must succeed. */
async function whileReading(instance: ReplicaInstance, work: () => Promise<void>): Promise<void> {
  let isWorking = true;
  const read = async () => {
    while (isWorking) expect(await instance.call(stage.world.global, 'GET /api/users')).toMatchObject({ status: 200, body: { total: 1 } });
  };
  const working = work().finally(() => (isWorking = false));
  await Promise.all([working, read(), read()]);
}

test('starts without the replica, logs the reason once, and uses the replica when it is up', async () => {
  const { world, replica } = stage;
  await replica.stop();
  const instance = await startReplicaInstance(world, replica.url);
  const reason = 'PostgreSQL cannot be reached: check that it runs, and the host and port in DATABASE_REPLICA_URL.';
  await expect.poll(instance.reason).toBe(reason);
  expect((await instance.call(world.global, 'GET /api/users')).status).toBe(200);
  expect(await instance.readsOn('replica')).toBe(0);
  await replica.start();
  await instance.untilReplicaUsed();
  await expect.poll(instance.reason).toBeUndefined();
  // While the server starts it rejects connections, which is another reason.
  expect(instance.told().filter(([, told]) => told === reason)).toHaveLength(1);
  expect(instance.told().at(-1)).toEqual(['replica is up again']);
  await instance.stop();
});

test('every read succeeds while the replica stops, restarts, loses its connections and hangs, if necessary on the primary', async () => {
  const { world, replica } = stage;
  const proxy = await startProxy(replica.url);
  const instance = await startReplicaInstance(world, proxy.url);
  await instance.untilReplicaUsed();
  await whileReading(instance, async () => {
    await replica.stop();
    await expect.poll(instance.reason).toBeDefined();
    await replica.start();
    await instance.untilReplicaUsed();
    proxy.cut();
    await expect.poll(instance.reason).toBeDefined();
    proxy.forward();
    // A read that starts in the 100 ms before the replica is no longer current waits for it.
    const hang = async () => {
      await instance.untilReplicaUsed();
      proxy.freeze();
      await expect.poll(instance.reason).toBe('PostgreSQL does not respond in time: check its load and the network.');
      proxy.forward();
      return instance.repeatedReads();
    };
    const repeated = await instance.repeatedReads();
    await expect.poll(hang).toBeGreaterThan(repeated);
    await instance.untilReplicaUsed();
  });
  await instance.stop();
  await proxy.stop();
});

test('a read is repeated on the primary if PostgreSQL cancels it because of a conflict with recovery', async () => {
  const { world, postgres, replica } = stage;
  await world.create('POST /api/states', newState());
  // On the replica, reading a state takes a minute.
  const isSlow = 'case when pg_is_in_recovery() then pg_sleep(60) is null else true end';
  await world.sql('alter table states rename to stored_states');
  await world.sql(`create view states as select * from stored_states where ${isSlow}`);
  const instance = await startReplicaInstance(world, replica.url);
  const [onReplica, writer] = [new pg.Client(replica.url), new pg.Client(postgres.url)];
  await Promise.all([onReplica.connect(), writer.connect()]);
  await onReplica.query('alter system set max_standby_streaming_delay = 0');
  await onReplica.query('select pg_reload_conf()');

  await instance.untilReplicaUsed();
  const isReading = async () => (await onReplica.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount === 1;
  let read: Promise<unknown> | undefined;
  // A read uses the primary if it misses the 100 ms in which the replica is current.
  const startRead = () => {
    read ??= instance.call(world.global, 'GET /api/states').finally(() => (read = undefined));
    return isReading();
  };
  await expect.poll(startRead).toBe(true);
  const cancelled = read;
  // The replay of this lock conflicts with the read.
  await writer.query('begin; lock table stored_states in access exclusive mode; commit');
  expect(await cancelled).toMatchObject({ status: 200, body: { total: 1 } });
  expect(await instance.repeatedReads()).toBe(1);
  await Promise.all([writer.end(), onReplica.end()]);
  await instance.stop();
});

test('reads use the primary for good once the replica was promoted', async () => {
  const { world, replica } = stage;
  const instance = await startReplicaInstance(world, replica.url);
  await instance.untilReplicaUsed();
  await whileReading(instance, async () => {
    await replica.promote();
    const reason = 'DATABASE_REPLICA_URL does not name a usable replica: the server is not a standby.';
    await expect.poll(instance.reason).toBe(reason);
    // While the server is promoted, it can be a standby on a new timeline, which is another reason.
    expect(instance.told().at(-1)).toEqual(['replica is down', reason]);
    expect(instance.told().filter(([, told]) => told === reason)).toHaveLength(1);
  });
  const onReplica = await instance.readsOn('replica');
  expect((await instance.call(world.global, 'GET /api/users')).status).toBe(200);
  expect(await instance.readsOn('replica')).toBe(onReplica);
  await instance.stop();
});
