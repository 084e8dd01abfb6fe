import { absentId, newOrganization } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { readAuditModel } from '../audit/read-model.ts';
import { type Scenario, startScenario } from '../audit/scenario.ts';
import { shownEvent, type ShownEvent } from '../oracle/events.ts';
import { resolveCaller } from '../oracle/guard.ts';
import { pair } from '../oracle/model.ts';
import { ruleOf } from '../oracle/rules.ts';
import { claimsOf, type Token, tokenOf } from '../oracle/token.ts';
import { linkTo } from '../support/organizations.ts';

/** Who sees which event, and which of its fields: every event of the scenario for every kind of caller. */
const scenario: Scenario = duringTests(startScenario, ({ world }) => world.stop());

interface Kind {
  name: string;
  token: (it: Scenario) => Token;
  header?: (it: Scenario) => string;
}
const roles = (...realmRoles: string[]) => ({ realmRoles: ['events:read', ...realmRoles] });
const kinds: Kind[] = [
  { name: 'a Global user without a tenant', token: ({ globalMember }) => tokenOf(globalMember.subject) },
  { name: 'a Global user in the tenant', token: ({ globalMember }) => tokenOf(globalMember.subject), header: ({ tenant }) => tenant.id },
  { name: 'a tenant-admin', token: ({ admin }) => tokenOf(admin.subject) },
  { name: 'a tenant-admin who reads users', token: ({ admin }) => tokenOf(admin.subject, roles('users:read')) },
  { name: 'a tenant-admin who is super_admin', token: ({ admin }) => tokenOf(admin.subject, roles('super_admin')) },
  { name: 'a viewer with the role', token: ({ viewer }) => tokenOf(viewer.subject, roles()) },
  { name: "the other tenant's admin", token: ({ foreignAdmin }) => tokenOf(foreignAdmin.subject) },
  { name: 'an application', token: ({ tenant }) => tokenOf('application', { azp: tenant.clientId, hasSession: false }) },
  { name: 'the other application', token: ({ foreign }) => tokenOf('other', { azp: foreign.clientId, hasSession: false }) },
];

interface List {
  data: ShownEvent[];
  nextCursor: string;
  hasMore: boolean;
}
const pathOf = (isService: boolean) => (isService ? '/service/events' : '/api/events');

async function read({ token, header }: Kind, query: Record<string, string>) {
  const content = token(scenario);
  const actor = { token: await scenario.world.sign(claimsOf(content)), ...(header ? { tenant: header(scenario) } : {}) };
  return scenario.world.call<List>(actor, `GET ${pathOf(!content.hasSession)}?${new URLSearchParams(query).toString()}`);
}

/** All pages. */
async function readAll(kind: Kind, filters: Record<string, string> = {}): Promise<ShownEvent[]> {
  const found: ShownEvent[] = [];
  let start: Record<string, string> = { startDate: scenario.since };
  for (let hasMore = true; hasMore;) {
    const { body } = await read(kind, { limit: '7', ...filters, ...start });
    found.push(...body.data);
    ({ hasMore } = body);
    start = { cursor: body.nextCursor };
  }
  return found;
}

async function predict(kind: Kind): Promise<ShownEvent[]> {
  const model = await readAuditModel(scenario.world, scenario.since);
  model.linksAtDeletion.add(pair(scenario.deleted, scenario.tenant.id));
  const content = kind.token(scenario);
  const who = resolveCaller(model, ruleOf('GET', pathOf(!content.hasSession)), content, kind.header?.(scenario));
  if (typeof who === 'string') throw new Error(`${kind.name}: ${who}`);
  return [...model.events.values()].flatMap((event) => shownEvent(model, who, event) ?? []);
}

describe.each(kinds)('$name', (kind) => {
  // Rules: EVENTS-9, EVENTS-10, EVENTS-11, EVENTS-12, EVENTS-13
  test('gets the events that the oracle predicts, field by field and in order', async () => {
    const expected = await predict(kind);
    expect(expected.length).toBeGreaterThan(5);
    // A transaction of any database of the server delays events.
    await expect.poll(() => readAll(kind), { timeout: 10_000 }).toEqual(expected);
  });

  // Rules: EVENTS-18, EVENTS-19
  test('gets a part of the visible events with a filter', async () => {
    const visible = await predict(kind);
    await expect.poll(async () => (await readAll(kind)).length).toBe(visible.length);
    const { shared } = scenario;
    const check = async (filters: Record<string, string>, matches: (event: ShownEvent) => boolean) =>
      expect([filters, await readAll(kind, filters)]).toEqual([filters, visible.filter(matches)]);
    await check({ organizationId: shared }, ({ organizationId }) => organizationId === shared);
    await check({ types: '*' }, () => true);
    await check({ types: 'user.*,attachment.deleted' }, ({ type, record }) => record.type === 'user' || type === 'attachment.deleted');
    await check({ types: 'organization.updated', organizationId: shared }, ({ type, organizationId }) => {
      return type === 'organization.updated' && organizationId === shared;
    });
  });
});

const named = (name: string) => kinds.find((kind) => kind.name === name)!;

// Rules: EVENTS-19
test('an organization filter outside the scope is rejected with 403, except for a Global user without a tenant', async () => {
  const { others, deleted, unlinked } = scenario;
  const outcomeOf = async (name: string, organizationId: string) => {
    const { status, code, body } = await read(named(name), { organizationId });
    return code ?? [status, body.data.length > 0];
  };
  for (const name of ['a tenant-admin', 'a Global user in the tenant', 'an application'])
    for (const id of [others, deleted, unlinked, absentId]) expect(await outcomeOf(name, id)).toBe('NOT_ALLOWED_ORGANIZATION');
  expect(await outcomeOf('a Global user without a tenant', deleted)).toEqual([200, true]);
  expect(await outcomeOf('a Global user without a tenant', absentId)).toEqual([200, false]);
});

// Rules: EVENTS-9, EVENTS-13
test('a tenant gets the deletion of its organization, without an actor of another tenant', async () => {
  const { world, tenant, foreign } = scenario;
  const created = await world.call<{ id: string }>(tenant.service, 'POST /service/organizations', newOrganization(world));
  const { id } = created.body;
  await linkTo(world, foreign, id);
  const formerly = await world.tenant();
  await linkTo(world, formerly, id);
  await world.call(formerly.service, `DELETE /service/organizations/${id}/tenants`);
  await world.call(world.global, `DELETE /api/organizations/${id}`);
  const deletions = async ({ service }: typeof tenant) =>
    (await world.call<List>(service, 'GET /service/events?types=organization.*&limit=1000')).body.data.filter(
      ({ record }) => record.id === id,
    );
  const shown = { type: 'organization.deleted', actor: { kind: 'USER', id: null }, tenantId: null, data: { id } };
  for (const each of [tenant, foreign]) await expect.poll(() => deletions(each)).toMatchObject([shown]);
  expect(await deletions(formerly)).toEqual([]);
});

// Rules: EVENTS-12
test('an application gets no event of a user whose other fields change', async () => {
  const { world, tenant, viewer } = scenario;
  for (const fields of [{ customerId: tenant.customerId }, { jobTitle: 'K', customerId: null }])
    await world.call(world.global, `PUT /api/users/${viewer.id}`, fields);
  const updates = async () =>
    (await world.call<List>(tenant.service, 'GET /service/events?types=user.updated&limit=1000')).body.data
      .filter(({ record }) => record.id === viewer.id)
      .map(({ changed, data }) => [changed, data['jobTitle']]);
  await expect.poll(updates).toEqual([
    [['jobTitle'], 'J'],
    [['jobTitle'], 'K'],
  ]);
});

// Rules: ACCESS-17
test('a RESTRICTED member gets 403, whatever gives access', async () => {
  const token = (parts: Partial<Token>) => () => tokenOf(scenario.restricted.subject, parts);
  const permission = { forOther: false, resource: 'resource:events', action: 'read' };
  for (const parts of [{}, roles(), roles('super_admin'), { permission }])
    expect((await read({ name: '', token: token(parts) }, {})).code).toBe('NOT_ALLOWED');
});
