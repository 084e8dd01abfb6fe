import { endpoints, errors, errorsOf } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { guardScenarios } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { rest, trpc } from '../endpoints/send.ts';
import { type Actor, createApi } from '../support/api.ts';
import { pdf, form } from '../support/files.ts';
import { send } from '../support/http.ts';
import { organizationOf } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { lockTable } from '../support/race.ts';
import { watchStatements } from '../support/statements.ts';
import { countChanges, type Entry, entriesOf, readEntries } from './entries.ts';

/** Entries of refused requests. */
const fixture = useFixture();

let serial = 0;
const newRequestId = () => `refusal-${(serial += 1)}`;
/** A member of the tenant without earlier refusals. */
const newViewer = (): Promise<Person> => fixture.world.person({ [fixture.tenant.id]: 'viewer' });

/** Sends a request that is refused, and returns its only entry. */
async function refuse(actor: Actor, target: string, body?: unknown): Promise<Entry | undefined> {
  const requestId = newRequestId();
  const { status } = await fixture.world.call(actor, target, body, { 'x-request-id': requestId });
  expect(status).toBe(403);
  const [entry, ...others] = await entriesOf(fixture.world, requestId);
  expect(others).toEqual([]);
  return entry;
}

const forbidden = endpoints.flatMap(({ name, endpoint }) => {
  const code = errorsOf(endpoint).findLast((each) => each in guardScenarios && errors[each].status === 403);
  return code && !['USER_NOT_PROVISIONED', 'CLIENT_NOT_LINKED'].includes(code) ? [{ name, endpoint, code }] : [];
});

describe('a refused call', () => {
  // Rules: AUDIT-10, AUDIT-11
  test.each(forbidden)('of $name adds one entry, over REST and tRPC', async ({ name, endpoint, code }) => {
    const { world } = fixture;
    const attempt = await guardScenarios[code]!(fixture, name, endpoint);
    // The fixture's users have reached the limit after a few endpoints.
    const forget = 'delete from journal where code is not null';
    await world.sql(`alter table journal disable trigger all; ${forget}; alter table journal enable trigger all`);
    const instance = await world.another();
    for (const call of endpoint.media === 'json' ? [rest, trpc] : [rest]) {
      const requestId = newRequestId();
      const counts = await countChanges(world);
      const { problem } = await call({ ...attempt, url: instance.url, requestId }, name, endpoint);
      expect(problem?.code).toBe(code);
      expect(await countChanges(world)).toEqual({ ...counts, entries: counts.entries + 1 });
      const [entry] = await entriesOf(world, requestId);
      const param = Object.keys(endpoint.params).at(-1);
      const empty = { organizationId: null, changes: [], related: [], cascade: {} };
      expect(entry).toMatchObject({
        ...empty,
        outcome: 'REFUSED',
        code,
        operation: name,
        actor: { kind: 'USER', id: expect.any(String) },
        // Over tRPC, the permission is checked before the input is read.
        record: { id: param !== undefined && call === rest ? String(attempt.input[param]) : null },
      });
    }
    await instance.stop();
  });

  test('names the type of the first event, or of the group, and the active tenant, if there is one', async () => {
    const { world, tenant, foreign, members } = fixture;
    const [viewer, ofNoTenant] = [await newViewer(), await world.person()];
    const inForeign = { ...viewer, tenant: foreign.id };
    const user = `/api/users/${members.viewer.id}/tenants`;
    for (const [actor, target, type, code, tenantId] of [
      [viewer, `POST ${user}`, 'membership', 'NOT_ALLOWED', tenant.id],
      [viewer, `PUT ${user}/${tenant.id}/organizations`, 'organizationScope', 'NOT_ALLOWED', tenant.id],
      [viewer, `GET /api/tenants/${tenant.id}/users`, 'membership', 'NOT_ALLOWED', tenant.id],
      [viewer, 'GET /api/apps', 'app', 'NOT_ALLOWED', tenant.id],
      [viewer, 'GET /api/cooperatives', null, 'NOT_ALLOWED', tenant.id],
      [viewer, 'GET /api/audit-entries', null, 'NOT_ALLOWED', tenant.id],
      [tenant.service, `GET /service/documents?organizationId=${absentId}`, 'attachment', 'NOT_ALLOWED_ORGANIZATION', tenant.id],
      [ofNoTenant, 'GET /api/states', 'state', 'ACTIVE_TENANT_REQUIRED', null],
      [inForeign, 'GET /api/states', 'state', 'TENANT_NOT_ALLOWED', null],
    ] as const)
      expect(await refuse(actor, target, target.startsWith('GET') ? undefined : {})).toMatchObject({ record: { type }, code, tenantId });
  });

  test('is recorded when a handler refuses it, for users and applications', async () => {
    const { world, tenant, foreign } = fixture;
    const { id } = await organizationOf(world, foreign);
    const admin = await world.person({ [tenant.id]: 'tenant-admin' }, { roles: ['users:update'] });
    const refused = { code: 'NOT_ALLOWED_ORGANIZATION', tenantId: tenant.id, organizationId: null };
    const asUser = { ...refused, actor: { kind: 'USER', id: admin.id } };
    expect(await refuse(admin, `GET /api/organizations?organizationId=${id}`)).toMatchObject(asUser);
    expect(await refuse(admin, 'POST /api/attachments', form(['entityId', id], ['file', pdf()]))).toMatchObject(asUser);
    const { id: globalId } = fixture.globalMember;
    expect(await refuse(admin, `PUT /api/users/${globalId}`, { jobTitle: 'J' })).toMatchObject({ record: { id: globalId } });
    const asApplication = { ...refused, actor: { kind: 'APPLICATION', id: tenant.id } };
    expect(await refuse(tenant.service, `GET /service/organizations?organizationId=${id}`)).toMatchObject(asApplication);
  });

  // Rules: AUDIT-11
  test('has the id of the path as it was sent, up to 200 characters', async () => {
    const viewer = await newViewer();
    const idOf = async (sent: string) => (await refuse(viewer, `GET /api/users/${encodeURIComponent(sent)}`))?.record.id;
    expect(await idOf('ÇÃ/7 %')).toBe('ÇÃ/7 %');
    expect(await idOf(absentId.toUpperCase())).toBe(absentId.toUpperCase());
    expect(await idOf('x'.repeat(300))).toBe('x'.repeat(200));
    expect(await idOf(`${'x'.repeat(199)}😀`)).toBe(`${'x'.repeat(199)}\uFFFD`);
    expect(await idOf('a\0b')).toBe('a\uFFFDb');
  });

  test('is recorded over tRPC with the id of the input once the input was read', async () => {
    const { world } = fixture;
    const viewer = await newViewer();
    const { id } = fixture.globalMember;
    const holder = { token: await world.tokenOf({ sub: viewer.subject, roles: ['users:delete'] }) };
    await expect(world.client(holder).users.remove.mutate({ id })).rejects.toThrow('allow this action');
    const { data } = await readEntries(world, world.global, `actorId=${viewer.id}`);
    expect(data).toMatchObject([{ operation: 'users.remove', record: { type: 'user', id } }]);
  });

  // Rules: AUDIT-10
  test('of an unknown user, an unlinked client or an invalid token is not recorded', async () => {
    const { world } = fixture;
    const counts = await countChanges(world);
    const unknown = { token: await world.tokenOf() };
    expect((await world.call(unknown, 'GET /api/apps')).code).toBe('USER_NOT_PROVISIONED');
    expect((await world.call(unknown, 'GET /service/organizations')).code).toBe('CLIENT_NOT_LINKED');
    expect((await world.call({}, 'GET /api/apps')).code).toBe('UNAUTHORIZED');
    expect(await countChanges(world)).toEqual(counts);
  });

  // Rules: AUDIT-10
  test('of a batch is recorded for each call, with the same request id', async () => {
    const { world } = fixture;
    const viewer = await newViewer();
    const requestId = newRequestId();
    const url = `${world.service.url}/trpc/apps.list,customers.list,states.list?batch=1&input=${encodeURIComponent('{}')}`;
    await send(url, { method: 'GET', headers: { authorization: `Bearer ${viewer.token}`, 'x-request-id': requestId }, body: undefined });
    const found = await entriesOf(world, requestId);
    expect(found.map(({ operation }) => operation).toSorted()).toEqual(['apps.list', 'customers.list']);
  });
});

describe('the limit of 10 entries per caller and minute', () => {
  const refusedCount = async (actorId: string) =>
    (await readEntries(fixture.world, fixture.world.global, `actorId=${actorId}&limit=100`)).data.length;

  // Rules: AUDIT-10
  test('applies to each caller, on all instances together, and keeps a process from using the database', async () => {
    const { world } = fixture;
    const [one, other] = [await newViewer(), await newViewer()];
    const watch = await watchStatements(world.databaseUrl, 'profile-service');
    const second = await world.another({ DATABASE_URL: watch.url });
    for (const api of [createApi(second.url), world]) await Promise.all(Array.from({ length: 15 }, () => api.call(one, 'GET /api/apps')));
    await world.call(other, 'GET /api/apps');
    expect(watch.take().filter((text) => text.includes('record_refusal'))).toHaveLength(10);
    expect([await refusedCount(one.id), await refusedCount(other.id)]).toEqual([10, 1]);
    await second.stop();
    await watch.stop();
  });
});

describe('the response of a refused call', () => {
  // Rules: AUDIT-12
  test('stays the same if its entry cannot be written', async () => {
    const { world } = fixture;
    const viewer = await newViewer();
    const first = await world.call(viewer, 'GET /api/apps');
    await world.sql('alter function record_refusal rename to record_refusal_hidden');
    const second = await world.call(viewer, 'GET /api/apps');
    await world.sql('alter function record_refusal_hidden rename to record_refusal');
    expect(second.status).toBe(403);
    expect(second.body).toEqual({ ...first.body, instance: second.body['instance'] });
  });

  // Rules: AUDIT-12
  test('waits at most 2 seconds for its entry', async () => {
    const { world } = fixture;
    const viewer = await newViewer();
    await world.call(viewer, 'GET /api/states');
    const lock = await lockTable(world, 'journal');
    expect((await world.call(viewer, 'GET /api/apps')).status).toBe(403);
    await lock.end();
    await expect.poll(async () => (await readEntries(world, world.global, `actorId=${viewer.id}`)).data.length).toBe(1);
  });
});
