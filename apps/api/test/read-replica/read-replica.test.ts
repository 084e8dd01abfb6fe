import { endpoints } from '@profile-service/contracts';
import { newState } from '@profile-service/contracts/examples';
import { migrate } from '@profile-service/db';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { startProxy } from '../../../../test/proxy.ts';
import { startReplicatedPostgres } from '../../../../test/replicated-postgres.ts';
import { handlerOf } from '../../src/resources/index.ts';
import type { Actor, Api } from '../support/api.ts';
import { metricOf } from '../support/metrics.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import { reasonsOf } from '../support/readiness.ts';
import type { OrganizationPage } from '../support/records.ts';
import { recordLog } from '../support/recorded-log.ts';
import { startWorld } from '../support/world.ts';

/** A primary with a streaming replica. The service of the world uses only the primary. */
const stage = duringTests(
  async () => {
    const postgres = await startReplicatedPostgres();
    await migrate(postgres.url);
    const replica = await postgres.addReplica();
    return { postgres, replica, world: await startWorld({}, async () => postgres.url) };
  },
  ({ world, postgres }) => world.stop().then(() => postgres.stop()),
);

/** Starts an instance of the world that reads from this replica. */
async function startReplicaInstance(replicaUrl: string) {
  const { world } = stage;
  const { log, about } = recordLog();
  const instance = await world.another({ DATABASE_REPLICA_URL: replicaUrl, MANAGEMENT_PORT: '0' }, { log });
  /** Number of reads that have started on this server. */
  const readsOn = (server: 'primary' | 'replica') => metricOf(instance, 'profile_database_reads_total', new RegExp(`server="${server}"`));
  const read = () => instance.call(world.global, 'GET /api/customers?limit=1');
  return {
    ...instance,
    readsOn,
    /** Number of reads that failed on the replica and were repeated on the primary. */
    repeatedReads: () => metricOf(instance, 'profile_database_reads_repeated_total'),
    /** How far the replica was behind at the last comparison. */
    lagBytes: () => metricOf(instance, 'profile_replica_lag_bytes'),
    /** Sends reads until one has used the replica. */
    async untilReplicaUsed() {
      const before = await readsOn('replica');
      await expect.poll(() => read().then(() => readsOn('replica'))).toBeGreaterThan(before);
    },
    /** Why the replica cannot be used. */
    reason: async () => (await reasonsOf(instance))?.['replica'],
    /** Messages and reasons of the log lines about the replica. */
    told: () => about('replica'),
  };
}

const instance = duringTests(() => startReplicaInstance(stage.replica.url));

/** Creates a customer through the instance with the replica, so that its reads see it at once. */
const newCustomer = async () => {
  const { world } = stage;
  const created = await instance.call<{ id: string }>(world.global, 'POST /api/customers', { federalTaxId: world.newTaxId(), name: '0' });
  expect(created.status).toBe(201);
  return created.body;
};
const rename = async (api: Api, id: string, name: string) => {
  expect(await api.call(stage.world.global, `PUT /api/customers/${id}`, { name })).toMatchObject({ status: 200, body: { name } });
};
const nameOf = async (id: string) => {
  const { status, body } = await instance.call(stage.world.global, `GET /api/customers/${id}`);
  expect(status).toBe(200);
  return body['name'];
};

describe('an instance whose replica is late', () => {
  afterEach(() => stage.replica.resumeReplay());

  test('reads use the primary once a comparison has found another instance’s change that the replica lacks', async () => {
    const { id } = await newCustomer();
    await instance.untilReplicaUsed();
    await stage.replica.pauseReplay();
    await rename(stage.world, id, '1');
    await expect.poll(instance.lagBytes).toBeGreaterThan(0);
    await expect.poll(() => nameOf(id)).toBe('1');
    const onReplica = await instance.readsOn('replica');
    for (const name of ['2', '3', '4']) {
      await rename(stage.world, id, name);
      expect(await nameOf(id)).toBe(name);
    }
    expect(await instance.readsOn('replica')).toBe(onReplica);
    await stage.replica.resumeReplay();
    await instance.untilReplicaUsed();
    expect(await nameOf(id)).toBe('4');
  });

  test('no client reads a value older than one that the instance has acknowledged, while the replay stops and continues', async () => {
    const { id } = await newCustomer();
    let acknowledged = 0;
    let isWriting = true;
    const write = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const value = acknowledged + 1;
        await rename(instance, id, String(value));
        acknowledged = value;
      }
    };
    const read = async () => {
      while (isWriting) {
        const expected = acknowledged;
        expect(Number(await nameOf(id))).toBeGreaterThanOrEqual(expected);
      }
    };
    const reading = Promise.all([read(), read(), read()]);
    for (let round = 0; round < 5; round += 1) {
      await stage.replica.pauseReplay();
      await write(10);
      await stage.replica.resumeReplay();
      await write(10);
      await instance.untilReplicaUsed();
    }
    isWriting = false;
    await reading;
    expect(await nameOf(id)).toBe('100');
  });

  // Rules: CACHE-3
  test('the primary serves callers: a membership that another instance has ended is not read from the replica', async () => {
    const { world, replica } = stage;
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'viewer' });
    const statusOf = async () => (await instance.call(person, 'GET /api/organizations')).code ?? 200;
    expect(await statusOf()).toBe(200);
    await replica.pauseReplay();
    expect((await world.call(world.global, `DELETE /api/users/${person.id}/tenants/${tenant.id}`)).status).toBe(204);
    await expect.poll(statusOf).toBe('ACTIVE_TENANT_REQUIRED');
  });

  test('the primary serves reads of callers with a RESTRICTED scope: a revoked grant never counts', async () => {
    const { world, replica } = stage;
    const tenant = await world.tenant();
    const [kept, revoked] = [await linkedOrganization(world, tenant.id), await linkedOrganization(world, tenant.id)];
    const person = await world.person({ [tenant.id]: 'viewer' });
    await restrict(world, person.id, tenant.id, [kept, revoked]);
    const seen = async (actor: Actor) =>
      (await instance.call<OrganizationPage>(actor, 'GET /api/organizations')).body.data.map(({ id }) => id).toSorted();
    await instance.untilReplicaUsed();
    const onReplica = await instance.readsOn('replica');
    for (let time = 0; time < 5; time += 1) expect(await seen(person)).toEqual([kept, revoked].toSorted());
    expect(await instance.readsOn('replica')).toBe(onReplica);

    await replica.pauseReplay();
    await world.sql('delete from membership_organizations where user_id = $1 and organization_id = $2', [person.id, revoked]);
    expect(await seen(person)).toEqual([kept]);
  });

  test('the primary serves the only GET that writes', async () => {
    const writing = endpoints.filter(({ endpoint }) => endpoint.method === 'GET' && handlerOf(endpoint).kind === 'write');
    expect(writing.map(({ name }) => name)).toEqual(['service.organizations.findByFederalTaxId']);
    const { world } = stage;
    const tenant = await world.tenant();
    const id = await linkedOrganization(world, (await world.tenant()).id);
    const [found] = await world.sql<{ taxId: string }>('select federal_tax_id as "taxId" from organizations where id = $1', [id]);
    await instance.untilReplicaUsed();
    const counts = () => Promise.all([instance.readsOn('primary'), instance.readsOn('replica'), instance.repeatedReads()]);
    const before = await counts();
    const { status } = await instance.call(tenant.service, `GET /service/organizations/federal-tax-id/${found?.taxId}`);
    expect(status).toBe(200);
    expect(await counts()).toEqual(before);
    expect(await world.sql('select from organization_tenants where organization_id = $1', [id])).toHaveLength(2);
  });
});

test('starts without the replica, logs the reason once, and uses the replica when it is up', async () => {
  const { world, replica } = stage;
  await replica.stop();
  const started = await startReplicaInstance(replica.url);
  const reason = 'PostgreSQL cannot be reached: check that it runs, and the host and port in DATABASE_REPLICA_URL.';
  await expect.poll(started.reason).toBe(reason);
  expect((await started.call(world.global, 'GET /api/users')).status).toBe(200);
  expect(await started.readsOn('replica')).toBe(0);
  await replica.start();
  await started.untilReplicaUsed();
  await expect.poll(started.reason).toBeUndefined();
  // While the server starts it rejects connections, which is another reason.
  expect(started.told().filter(([, told]) => told === reason)).toHaveLength(1);
  expect(started.told().at(-1)).toEqual(['replica is up again']);
  await started.stop();
  const onPrimary = await startReplicaInstance(stage.postgres.url);
  const notStandby = 'DATABASE_REPLICA_URL does not name a usable replica: the server is not a standby.';
  await expect.poll(onPrimary.reason).toBe(notStandby);
  await onPrimary.stop();
});

test('every read succeeds while the replica stops, restarts, loses its connections and hangs, if necessary on the primary', async () => {
  const { replica } = stage;
  const proxy = await startProxy(replica.url);
  const started = await startReplicaInstance(proxy.url);
  await started.untilReplicaUsed();
  const read = () => started.call(stage.world.global, 'GET /api/users');
  const { body } = await read();
  let isWorking = true;
  const reading = [1, 2].map(async () => {
    while (isWorking) expect(await read()).toMatchObject({ status: 200, body: { total: body['total'] } });
  });
  const work = async () => {
    await replica.stop();
    await expect.poll(started.reason).toBeDefined();
    await replica.start();
    await started.untilReplicaUsed();
    proxy.cut();
    await expect.poll(started.reason).toBeDefined();
    proxy.forward();
    // A read that starts in the 100 ms before the replica is no longer current waits for it.
    const hang = async () => {
      await started.untilReplicaUsed();
      proxy.freeze();
      await expect.poll(started.reason).toBe('PostgreSQL does not respond in time: check its load and the network.');
      proxy.forward();
      return started.repeatedReads();
    };
    const repeated = await started.repeatedReads();
    await expect.poll(hang).toBeGreaterThan(repeated);
    await started.untilReplicaUsed();
  };
  await Promise.all([work().finally(() => (isWorking = false)), ...reading]);
  await started.stop();
  await proxy.stop();
});

test('a read is repeated on the primary if PostgreSQL cancels it because of a conflict with recovery', async () => {
  const { world, postgres, replica } = stage;
  await world.create('POST /api/states', newState());
  // On the replica, reading a state takes a minute.
  const isSlow = 'case when pg_is_in_recovery() then pg_sleep(60) is null else true end';
  await world.sql('alter table states rename to stored_states');
  await world.sql(`create view states as select * from stored_states where ${isSlow}`);
  const started = await startReplicaInstance(replica.url);
  const [onReplica, writer] = [new pg.Client(replica.url), new pg.Client(postgres.url)];
  await Promise.all([onReplica.connect(), writer.connect()]);
  await onReplica.query('alter system set max_standby_streaming_delay = 0');
  await onReplica.query('select pg_reload_conf()');

  await started.untilReplicaUsed();
  const isReading = async () => (await onReplica.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount === 1;
  let read: Promise<unknown> | undefined;
  // A read uses the primary if it misses the 100 ms in which the replica is current.
  const startRead = () => {
    read ??= started.call(world.global, 'GET /api/states').finally(() => (read = undefined));
    return isReading();
  };
  await expect.poll(startRead).toBe(true);
  const cancelled = read;
  // The replay of other changes may have cancelled an earlier read.
  const repeated = await started.repeatedReads();
  // The replay of this lock conflicts with the read.
  await writer.query('begin; lock table stored_states in access exclusive mode; commit');
  expect(await cancelled).toMatchObject({ status: 200, body: { total: 1 } });
  expect(await started.repeatedReads()).toBe(repeated + 1);
  await Promise.all([writer.end(), onReplica.end()]);
  await started.stop();
});
