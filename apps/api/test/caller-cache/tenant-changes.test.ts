import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { type Api, createApi } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { useWorld } from '../support/world.ts';
import { arrival, cacheOutdatedName, namesAt, notify } from './cached-names.ts';

const world = useWorld();
let changing: Api;
let other: Api;
beforeAll(async () => {
  [changing, other] = (await Promise.all([world.another({}), world.another({})])).map(({ url }) => createApi(url)) as [Api, Api];
});

/** Returns the notifications that the work sends, in order. */
async function notificationsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const listener = new pg.Client({ connectionString: world.databaseUrl });
  const received: unknown[] = [];
  listener.on('notification', ({ payload = '' }) => received.push(JSON.parse(payload)));
  await listener.connect();
  try {
    await listener.query('listen profile_caller_invalidation');
    await work();
    const end = { sub: [randomUUID()] };
    await notify(world, end);
    await expect.poll(() => received, arrival).toContainEqual(end);
    return received.slice(0, -1);
  } finally {
    await listener.end();
  }
}

const put = async ({ id }: Tenant, body: object) => {
  expect((await changing.call(world.global, `PUT /api/tenants/${id}`, body)).status).toBe(200);
};

// Rules: CACHE-3
test.each<[string, (tenant: Tenant) => object]>([
  ['nothing', () => ({})],
  ['the name and metadata', () => ({ name: 'New', metadata: { region: 'south' } })],
  ['allowedScopes', () => ({ allowedScopes: ['reports'] })],
  ['the values that the tenant has', ({ clientId }) => ({ active: true, identityClientId: clientId })],
])('an update of a tenant invalidates nobody if it changes %s', async (_name, body) => {
  const tenant = await world.tenant();
  await world.person({ [tenant.id]: 'viewer' });
  expect(await notificationsOf(() => put(tenant, body(tenant)))).toEqual([]);
});

test('another client of a tenant invalidates the applications of both clients, and no member', async () => {
  const tenant = await world.tenant();
  await world.person({ [tenant.id]: 'viewer' });
  const identityClientId = randomUUID();
  expect(await notificationsOf(() => put(tenant, { identityClientId }))).toEqual([{ clientId: [tenant.clientId, identityClientId] }]);
});

test.each<[string, (tenant: Tenant) => Promise<unknown>]>([
  ['deactivated', (tenant) => put(tenant, { active: false })],
  ['deleted', ({ id }) => changing.call(world.global, `DELETE /api/tenants/${id}`)],
])('a tenant that is %s invalidates its members and its applications, and no caller of another tenant', async (_name, change) => {
  const [tenant, another] = [await world.tenant(), await world.tenant()];
  const member = await world.person({ [tenant.id]: 'viewer' });
  const stranger = await world.person({ [another.id]: 'viewer' });
  await cacheOutdatedName(world, stranger, changing, other);
  expect(await notificationsOf(() => change(tenant))).toEqual([{ sub: [member.subject] }, { clientId: [tenant.clientId] }]);
  expect(await namesAt(stranger, changing, other)).toEqual(['Outdated', 'Outdated']);
});

test('a user who becomes a member while the tenant is deactivated has no access', async () => {
  const tenant = await world.tenant();
  const person = await world.person();
  const read = async () => {
    const { code, status } = await changing.call({ ...person, tenant: tenant.id }, 'GET /api/states');
    return code ?? status;
  };
  const deactivating = raceAgainst(
    world,
    ['select id from tenants where id = $1 for share', [tenant.id]],
    () => put(tenant, { active: false }),
    async () => {
      await world.sql("insert into memberships (user_id, tenant_id, persona) values ($1, $2, 'viewer')", [person.id, tenant.id]);
      expect(await read()).toBe(200);
    },
  );
  await deactivating;
  expect(await read()).toBe('TENANT_NOT_ALLOWED');
});
