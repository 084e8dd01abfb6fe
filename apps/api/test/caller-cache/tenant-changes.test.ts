import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Api, createApi } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { useWorld } from '../support/world.ts';
import { arrival, cacheOutdatedName, namesAt, notify } from './cached-names.ts';

const world = useWorld();
/** Another instance than the one that makes the changes. */
let other: Api;
beforeAll(async () => {
  other = createApi((await world.another()).url);
});

/** Returns the notifications that the work sends, in order. */
async function notificationsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const listener = new pg.Client({ connectionString: world.databaseUrl });
  onTestFinished(() => listener.end());
  const received: unknown[] = [];
  listener.on('notification', ({ payload = '' }) => received.push(JSON.parse(payload)));
  await listener.connect();
  await listener.query('listen profile_caller_invalidation');
  await work();
  const end = { sub: [randomUUID()] };
  await notify(world, end);
  await expect.poll(() => received, arrival).toContainEqual(end);
  return received.slice(0, -1);
}

const put = async ({ id }: Tenant, body: object) => {
  expect((await world.call(world.global, `PUT /api/tenants/${id}`, body)).status).toBe(200);
};

// Rules: CACHE-3
test('an update of a tenant invalidates nobody, or with another client the applications of both clients, and no member', async () => {
  const tenant = await world.tenant();
  await world.person({ [tenant.id]: 'viewer' });
  const equal = { active: true, identityClientId: tenant.clientId };
  for (const body of [{}, { name: 'New', metadata: { region: 'south' }, allowedScopes: ['reports'] }, equal])
    expect(await notificationsOf(() => put(tenant, body))).toEqual([]);
  const identityClientId = randomUUID();
  expect(await notificationsOf(() => put(tenant, { identityClientId }))).toEqual([{ clientId: [tenant.clientId, identityClientId] }]);
});

test.each<[string, (tenant: Tenant) => Promise<unknown>]>([
  ['deactivated', (tenant) => put(tenant, { active: false })],
  ['deleted', ({ id }) => world.call(world.global, `DELETE /api/tenants/${id}`)],
])('a tenant that is %s invalidates its members and its applications, and no caller of another tenant', async (_name, change) => {
  const [tenant, another] = [await world.tenant(), await world.tenant()];
  const member = await world.person({ [tenant.id]: 'viewer' });
  const stranger = await world.person({ [another.id]: 'viewer' });
  await cacheOutdatedName(world, stranger, world, other);
  expect(await notificationsOf(() => change(tenant))).toEqual([{ sub: [member.subject] }, { clientId: [tenant.clientId] }]);
  expect(await namesAt(stranger, world, other)).toEqual(['Outdated', 'Outdated']);
});

test('a user who becomes a member while the tenant is deactivated has no access', async () => {
  const tenant = await world.tenant();
  const person = await world.person();
  const read = async () => {
    const { code, status } = await world.call({ ...person, tenant: tenant.id }, 'GET /api/states');
    return code ?? status;
  };
  await raceAgainst(
    world,
    ['select id from tenants where id = $1 for share', [tenant.id]],
    () => put(tenant, { active: false }),
    async () => {
      await world.sql("insert into memberships (user_id, tenant_id, persona) values ($1, $2, 'viewer')", [person.id, tenant.id]);
      expect(await read()).toBe(200);
    },
  );
  expect(await read()).toBe('TENANT_NOT_ALLOWED');
});
