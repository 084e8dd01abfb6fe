import { endpoints } from '@profile-service/contracts';
import { afterEach, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { handlerOf } from '../../src/resources/index.ts';
import type { Actor, Api } from '../support/api.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { OrganizationPage } from '../support/records.ts';
import { startReplicaInstance, useStage } from './stage.ts';

const stage = useStage();
const instance = duringTests(() => startReplicaInstance(stage.world, stage.replica.url));
afterEach(() => stage.replica.resumeReplay());

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

test('a client reads its own change at once: from the primary until the replica has it, then from the replica', async () => {
  const { id } = await newCustomer();
  await stage.replica.pauseReplay();
  for (const name of ['1', '2', '3']) {
    await rename(instance, id, name);
    const onReplica = await instance.readsOn('replica');
    expect(await nameOf(id)).toBe(name);
    expect(await instance.readsOn('replica')).toBe(onReplica);
  }
  await stage.replica.resumeReplay();
  await instance.untilReplicaUsed();
  expect(await nameOf(id)).toBe('3');
});

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

describe('the primary serves', () => {
  // Rules: CACHE-3
  test('callers: a membership that another instance has ended is not read from the replica', async () => {
    const { world, replica } = stage;
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'viewer' });
    const statusOf = async () => (await instance.call(person, 'GET /api/organizations')).code ?? 200;
    expect(await statusOf()).toBe(200);
    await replica.pauseReplay();
    expect((await world.call(world.global, `DELETE /api/users/${person.id}/tenants/${tenant.id}`)).status).toBe(204);
    await expect.poll(statusOf).toBe('ACTIVE_TENANT_REQUIRED');
  });

  test('reads of callers with a RESTRICTED scope: a revoked grant never counts', async () => {
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

  test('the only GET that writes', async () => {
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
