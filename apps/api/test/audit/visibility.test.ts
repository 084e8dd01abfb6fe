import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveCaller } from '../oracle/guard.ts';
import { viewOf } from '../oracle/audit.ts';
import { ruleOf } from '../oracle/rules.ts';
import { claimsOf, type Token, tokenOf } from '../oracle/token.ts';
import type { Actor } from '../support/api.ts';
import type { Entry } from './entries.ts';
import { readAuditModel } from './read-model.ts';
import { type Scenario, startScenario } from './scenario.ts';

/** Who sees which entry, and which of its fields: every entry of the scenario for every kind of caller. */
let scenario: Scenario;
beforeAll(async () => (scenario = await startScenario()));
afterAll(() => scenario.world.stop());

interface Kind {
  name: string;
  token: (it: Scenario) => Token;
  header?: (it: Scenario) => string;
}
const auditor = { realmRoles: ['audit-entries:read'] };
const person = (name: string, who: (it: Scenario) => { subject: string }, parts: Partial<Token> = {}, header?: Kind['header']): Kind => ({
  name,
  token: (it) => tokenOf(who(it).subject, parts),
  ...(header ? { header } : {}),
});
const roles = (...realmRoles: string[]) => ({ realmRoles: [...auditor.realmRoles, ...realmRoles] });
const rpt = (resource: string) => ({ ...auditor, permission: { forOther: false, resource: `resource:${resource}`, action: 'read' } });

const kinds: Kind[] = [
  person('a Global user without a tenant', ({ globalMember }) => globalMember),
  person(
    'a Global user in the tenant',
    ({ globalMember }) => globalMember,
    {},
    ({ tenant }) => tenant.id,
  ),
  person('a tenant-admin', ({ admin }) => admin),
  person('a tenant-admin who reads users', ({ admin }) => admin, roles('users:read')),
  person(
    'a tenant-admin who reads all tenants, customers and apps',
    ({ admin }) => admin,
    roles('tenants:read', 'customers:read', 'apps:read'),
  ),
  person('a tenant-admin who is super_admin', ({ admin }) => admin, roles('super_admin')),
  person('a tenant-admin with an RPT permission for the list of apps', ({ admin }) => admin, rpt('apps')),
  person('a tenant-admin with an RPT permission for a tenant', ({ admin }) => admin, rpt('tenants_id')),
  person('a viewer with the role', ({ viewer }) => viewer, auditor),
  person('a RESTRICTED viewer with the role', ({ restricted }) => restricted, auditor),
  person("the other tenant's admin", ({ foreignAdmin }) => foreignAdmin),
  { name: 'an application', token: ({ tenant }) => tokenOf('application', { azp: tenant.clientId, hasSession: false }) },
  { name: 'the application of the other tenant', token: ({ foreign }) => tokenOf('other', { azp: foreign.clientId, hasSession: false }) },
];

const restPath = (isService: boolean) => (isService ? '/service/audit-entries' : '/api/audit-entries');
type Filters = Record<string, string | number>;
type Read = (actor: Actor, isService: boolean, filters: Filters) => Promise<{ data: Entry[]; nextCursor: string | null }>;
const transports: [string, Read][] = [
  [
    'REST',
    async (actor, isService, filters) => {
      const query = new URLSearchParams(Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]));
      const { status, body } = await scenario.world.call<{ data: Entry[]; nextCursor: string | null }>(
        actor,
        `GET ${restPath(isService)}?${query.toString()}`,
      );
      expect(status).toBe(200);
      return body;
    },
  ],
  [
    'tRPC',
    async (actor, isService, filters) => {
      const { auditEntries, service } = scenario.world.client(actor);
      const found = await (isService ? service.auditEntries : auditEntries).list.query(filters);
      return found as { data: Entry[]; nextCursor: string | null };
    },
  ],
];

async function signIn({ token, header }: Kind): Promise<{ actor: Actor; isService: boolean }> {
  const content = token(scenario);
  const signed = await scenario.world.sign(claimsOf(content));
  const actor = { token: signed, ...(header ? { tenant: header(scenario) } : {}) };
  return { actor, isService: !content.hasSession };
}

/** All pages. */
async function readAll(read: Read, kind: Kind, filters: Filters = {}): Promise<Entry[]> {
  const { actor, isService } = await signIn(kind);
  const found: Entry[] = [];
  let cursor: string | null = null;
  do {
    const page = await read(actor, isService, { limit: 7, startDate: scenario.since, ...filters, ...(cursor === null ? {} : { cursor }) });
    found.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

async function predict(kind: Kind): Promise<Entry[]> {
  const model = await readAuditModel(scenario.world, scenario.since);
  const content = kind.token(scenario);
  const rule = ruleOf('GET', restPath(!content.hasSession));
  const who = resolveCaller(model, rule, content, kind.header?.(scenario));
  if (typeof who === 'string') throw new Error(`${kind.name}: ${who}`);
  return [...model.auditEntries.values()].flatMap((entry) => (viewOf(model, who, entry) as Entry | null) ?? []);
}

describe.each(transports)('over %s', (_, read) => {
  // Rules: AUDIT-13, AUDIT-14, AUDIT-15, AUDIT-16, AUDIT-17
  test.each(kinds)('$name sees the entries that the oracle predicts, field by field', async (kind) => {
    const expected = await predict(kind);
    expect(expected.length).toBeGreaterThan(5);
    expect(await readAll(read, kind)).toEqual(expected);
  });

  // Rules: AUDIT-19
  test.each(kinds)('filters by actor and tenant show $name only entries that show the value', async (kind) => {
    const visible = await predict(kind);
    const { tenant, foreign, admin, foreignAdmin, formerMember, deletedMember } = scenario;
    for (const actorId of [admin.id, foreignAdmin.id, formerMember.id, deletedMember.id, tenant.id, foreign.id])
      expect(await readAll(read, kind, { actorId })).toEqual(visible.filter(({ actor }) => actor.id === actorId));
    for (const tenantId of [tenant.id, foreign.id])
      expect(await readAll(read, kind, { tenantId })).toEqual(visible.filter((entry) => entry.tenantId === tenantId));
  });

  // Rules: AUDIT-18
  test.each(kinds)('the other filters show $name a part of the visible entries', async (kind) => {
    const visible = await predict(kind);
    const { shared, deleted } = scenario;
    const check = async (filters: Filters, matches: (entry: Entry) => boolean) =>
      expect(await readAll(read, kind, filters)).toEqual(visible.filter(matches));
    await check({ operation: 'organizations.update' }, ({ operation }) => operation === 'organizations.update');
    await check({ recordType: 'attachment' }, ({ record }) => record.type === 'attachment');
    await check({ recordId: deleted }, ({ record }) => record.id === deleted);
    await check({ organizationId: shared }, ({ organizationId }) => organizationId === shared);
    await check({ outcome: 'REFUSED' }, ({ outcome }) => outcome === 'REFUSED');
    const moment = visible[3]?.occurredAt ?? '';
    await check({ endDate: moment }, ({ occurredAt }) => occurredAt <= moment);
    await check({ startDate: moment }, ({ occurredAt }) => occurredAt >= moment);
  });
});

describe('the oracle predicts', () => {
  const [, rest] = transports[0]!;
  const named = (name: string) => kinds.find((kind) => kind.name === name)!;
  const aliasOf = (entries: Entry[], alias: string) =>
    entries.find(({ operation, changes }) => operation === 'organizations.update' && changes?.some(({ after }) => after === alias));

  test('an actor of another tenant, a former member and a deleted user as their kind alone, without the tenant', async () => {
    const entries = await readAll(rest, named('a tenant-admin'));
    expect(aliasOf(entries, 'A')).toMatchObject({ actor: { kind: 'USER', id: scenario.admin.id }, tenantId: scenario.tenant.id });
    for (const alias of ['B', 'C', 'D', 'F'])
      expect(aliasOf(entries, alias)).toMatchObject({ actor: { kind: 'USER', id: null }, tenantId: null, organizationId: scenario.shared });
  });

  test('values of own tenants, but not of users, for a tenant-admin', async () => {
    const entries = await readAll(rest, named('a tenant-admin'));
    const changesOf = (type: string, id: string) =>
      entries.filter(({ record }) => record.type === type && record.id === id).map(({ changes }) => changes);
    expect(changesOf('tenant', scenario.tenant.id)).toContainEqual([{ field: 'metadata', before: { a: 1 }, after: { a: 2 } }]);
    expect(changesOf('user', scenario.viewer.id)).toEqual([null, null]);
    expect(entries.some(({ record }) => record.id === scenario.others)).toBe(false);
  });

  test('values of organizations and documents alone for an application', async () => {
    const entries = await readAll(rest, named('an application'));
    const shown = entries.filter(({ changes, outcome }) => changes !== null && outcome === 'COMMITTED');
    expect(new Set(shown.map(({ record }) => record.type))).toEqual(new Set(['organization', 'attachment']));
    expect(entries.filter(({ record }) => record.id === scenario.deleted).map(({ changes }) => changes)).toEqual([null, null]);
    expect(entries.filter(({ record }) => record.type === 'organizationContact').flatMap(({ related }) => related)).not.toEqual([]);
  });
});

describe('an organization filter', () => {
  const outside = async (kind: string, organizationId: string) => {
    const { actor, isService } = await signIn(kinds.find(({ name }) => name === kind)!);
    const { status, code, body } = await scenario.world.call<{ data: Entry[] }>(
      actor,
      `GET ${restPath(isService)}?organizationId=${organizationId}`,
    );
    return code ?? [status, body.data.length > 0];
  };

  // Rules: AUDIT-20
  test.each(['a tenant-admin', 'a Global user in the tenant', 'a RESTRICTED viewer with the role', 'an application'])(
    'outside the scope of %s is rejected with 403',
    async (kind) => {
      for (const id of [scenario.others, scenario.deleted, scenario.unlinked, '00000000-0000-4000-8000-000000000000'])
        expect(await outside(kind, id)).toBe('NOT_ALLOWED_ORGANIZATION');
    },
  );

  // Rules: AUDIT-20
  test('finds the entries of a deleted organization for a Global user without a tenant', async () => {
    expect(await outside('a Global user without a tenant', scenario.deleted)).toEqual([200, true]);
    expect(await outside('a Global user without a tenant', '00000000-0000-4000-8000-000000000000')).toEqual([200, false]);
  });
});
