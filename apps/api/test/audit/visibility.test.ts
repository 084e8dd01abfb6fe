import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { resolveCaller } from '../oracle/guard.ts';
import { viewOf } from '../oracle/audit.ts';
import { ruleOf } from '../oracle/rules.ts';
import { claimsOf, type Token, tokenOf } from '../oracle/token.ts';
import type { Actor } from '../support/api.ts';
import { type Entry, type EntryList, readEntries } from './entries.ts';
import { readAuditModel } from './read-model.ts';
import { type Scenario, startScenario } from './scenario.ts';

/** Who sees which entry, and which of its fields: every entry of the scenario for every kind of caller. */
const scenario: Scenario = duringTests(startScenario, ({ world }) => world.stop());

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

const pathOf = (isService: boolean) => (isService ? '/service/audit-entries' : '/api/audit-entries');
type Filters = Record<string, string>;

async function signIn({ token, header }: Kind): Promise<{ actor: Actor; path: string }> {
  const content = token(scenario);
  const signed = await scenario.world.sign(claimsOf(content));
  return { actor: { token: signed, ...(header ? { tenant: header(scenario) } : {}) }, path: pathOf(!content.hasSession) };
}

/** All pages. */
async function readAll(kind: Kind, filters: Filters = {}): Promise<Entry[]> {
  const { actor, path } = await signIn(kind);
  const found: Entry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: '7', startDate: scenario.since, ...filters, cursor });
    const page: EntryList = await readEntries(scenario.world, actor, query.toString(), path);
    found.push(...page.data);
    cursor = page.nextCursor;
  }
  return found;
}

async function predict(kind: Kind): Promise<Entry[]> {
  const model = await readAuditModel(scenario.world, scenario.since);
  const content = kind.token(scenario);
  const rule = ruleOf('GET', pathOf(!content.hasSession));
  const who = resolveCaller(model, rule, content, kind.header?.(scenario));
  if (typeof who === 'string') throw new Error(`${kind.name}: ${who}`);
  return [...model.auditEntries.values()].flatMap((entry) => (viewOf(model, who, entry) as Entry | null) ?? []);
}

describe.each(kinds)('$name', (kind) => {
  // Rules: AUDIT-13, AUDIT-14, AUDIT-15, AUDIT-16, AUDIT-17
  test('sees the entries that the oracle predicts, field by field', async () => {
    const expected = await predict(kind);
    expect(expected.length).toBeGreaterThan(5);
    expect(await readAll(kind)).toEqual(expected);
  });

  // Rules: AUDIT-18, AUDIT-19
  test('gets a part of the visible entries with a filter; those by actor and tenant match only entries that show the value', async () => {
    const visible = await predict(kind);
    const { tenant, foreign, admin, foreignAdmin, formerMember, deletedMember, shared, deleted } = scenario;
    const check = async (filters: Filters, matches: (entry: Entry) => boolean) =>
      expect([filters, await readAll(kind, filters)]).toEqual([filters, visible.filter(matches)]);
    for (const actorId of [admin.id, foreignAdmin.id, formerMember.id, deletedMember.id, tenant.id, foreign.id])
      await check({ actorId }, ({ actor }) => actor.id === actorId);
    for (const { id: tenantId } of [tenant, foreign]) await check({ tenantId }, (entry) => entry.tenantId === tenantId);
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

const named = (name: string) => kinds.find((kind) => kind.name === name)!;

// Rules: AUDIT-20
test('an organization filter outside the scope is rejected with 403, except for a Global user without a tenant', async () => {
  const { world, others, deleted, unlinked } = scenario;
  const outcomeOf = async (name: string, organizationId: string) => {
    const { actor, path } = await signIn(named(name));
    const { status, code, body } = await world.call<EntryList>(actor, `GET ${path}?organizationId=${organizationId}`);
    return code ?? [status, body.data.length > 0];
  };
  for (const name of ['a tenant-admin', 'a Global user in the tenant', 'a RESTRICTED viewer with the role', 'an application'])
    for (const id of [others, deleted, unlinked, absentId]) expect(await outcomeOf(name, id)).toBe('NOT_ALLOWED_ORGANIZATION');
  expect(await outcomeOf('a Global user without a tenant', deleted)).toEqual([200, true]);
  expect(await outcomeOf('a Global user without a tenant', absentId)).toEqual([200, false]);
});
