import { personas } from '@profile-service/contracts';
import { authorize, resolveCaller } from '../oracle/guard.ts';
import { modules, type Rule, type UserRule } from '../oracle/rules.ts';
import { otherClient, type Token, tokenOf } from '../oracle/token.ts';
import type { Actor } from '../support/api.ts';
import { absentId } from '../support/records.ts';
import type { Fixture } from './fixture-types.ts';

/** A kind of caller: the content of the token, and the X-Tenant-Id. */
interface CallerKind {
  name: string;
  /** null: the token of `bearer` is not valid. */
  token: (fixture: Fixture, rule: UserRule) => Token | null;
  /** Sent in fixture of a signed token. */
  bearer?: (fixture: Fixture) => string | undefined | Promise<string | undefined>;
  tenant?: (fixture: Fixture) => string;
}
type Person = (fixture: Fixture) => { subject: string };
type TokenParts = Partial<Omit<Token, 'sub'>>;

const user = (
  name: string,
  person: Person,
  { tenant, token = () => ({}) }: { tenant?: CallerKind['tenant']; token?: (rule: UserRule, fixture: Fixture) => TokenParts } = {},
): CallerKind => ({
  name,
  token: (fixture, rule) => tokenOf(person(fixture).subject, token(rule, fixture)),
  ...(tenant ? { tenant } : {}),
});
const viewerWith = (name: string, token: (rule: UserRule, fixture: Fixture) => TokenParts) =>
  user(`a viewer ${name}`, ({ members }) => members.viewer, { token });
const application = (name: string, token: (fixture: Fixture) => TokenParts, tenant?: CallerKind['tenant']): CallerKind => ({
  name: `an application ${name}`,
  token: (fixture) => tokenOf(`application ${name}`, { hasSession: false, ...token(fixture) }),
  ...(tenant ? { tenant } : {}),
});
const invalid = (name: string, bearer: CallerKind['bearer']): CallerKind => ({ name, token: () => null, ...(bearer ? { bearer } : {}) });

const roleOf = ({ module, action }: UserRule) => `${module}:${action}`;
const another = ({ action }: UserRule) => (action === 'read' ? 'create' : 'read');
const rptFor = ({ resource, action }: UserRule, forOther = false): TokenParts => ({ permission: { forOther, resource, action } });
const own = ({ tenant }: Fixture) => tenant.id;

/** Specification part 5 and decisions part 2: everything about a caller that the guard looks at. */
const kinds: readonly CallerKind[] = [
  invalid('nobody', () => undefined),
  invalid('a caller with a malformed token', () => 'a.b.c'),
  invalid('a caller with an expired token', ({ world }) => world.tokenOf({ claims: { exp: 1 } })),

  user('a Global user', ({ first }) => first),
  user('a Global user in a tenant', ({ globalMember }) => globalMember, { tenant: own }),
  user('a Global user in a tenant without membership', ({ globalMember }) => globalMember, { tenant: ({ foreign }) => foreign.id }),
  user('a Global user with a malformed X-Tenant-Id', ({ first }) => first, { tenant: () => 'harvest' }),
  user('a Global user without persona in the tenant', ({ globalWithoutPersona }) => globalWithoutPersona, { tenant: own }),

  ...personas.map((persona) => user(`a ${persona}`, ({ members }) => members[persona])),
  user('a coordinator in one of two tenants', ({ ofTwoTenants }) => ofTwoTenants, { tenant: ({ tenant }) => tenant.id.toUpperCase() }),
  user('a viewer with an empty X-Tenant-Id', ({ members }) => members.viewer, { tenant: () => '' }),
  user('a viewer whose other tenant is inactive', ({ ofInactiveTenantToo }) => ofInactiveTenantToo),

  user('a user without tenants', ({ ofNoTenant }) => ofNoTenant),
  user('a user of two tenants without X-Tenant-Id', ({ ofTwoTenants }) => ofTwoTenants),
  user('a user of an inactive tenant', ({ ofInactiveTenant }) => ofInactiveTenant),
  user('a user in an inactive tenant', ({ ofInactiveTenantToo }) => ofInactiveTenantToo, { tenant: ({ inactive }) => inactive.id }),
  user('a user in a foreign tenant', ({ ofInactiveTenantToo }) => ofInactiveTenantToo, { tenant: ({ foreign }) => foreign.id }),
  user('a user in an unknown tenant', ({ ofInactiveTenantToo }) => ofInactiveTenantToo, { tenant: () => absentId }),
  user('a user with a malformed X-Tenant-Id', ({ ofInactiveTenantToo }) => ofInactiveTenantToo, { tenant: () => 'harvest' }),
  user('a member without persona', ({ withoutPersona }) => withoutPersona),
  user('a member without persona with X-Tenant-Id', ({ withoutPersona }) => withoutPersona, { tenant: own }),

  viewerWith('with the exception role', (rule) => ({ realmRoles: [roleOf(rule)] })),
  viewerWith("with the exception role of this service's client", (rule) => ({ clientRoles: [roleOf(rule)] })),
  viewerWith('with the exception role of another client', (rule) => ({ otherClientRoles: [roleOf(rule)] })),
  viewerWith('with the exception role of another action', (rule) => ({ realmRoles: [`${rule.module}:${another(rule)}`] })),
  viewerWith('with a wildcard as role', ({ module }) => ({ realmRoles: [`${module}:*`, '*', `${module}:`, module] })),
  viewerWith('with the exception role in capitals', (rule) => ({ realmRoles: [roleOf(rule).toUpperCase()] })),
  user('a user without tenants, with the exception role', ({ ofNoTenant }) => ofNoTenant, {
    token: (rule) => ({ realmRoles: [roleOf(rule)] }),
  }),
  user('a member without persona, with the exception role', ({ withoutPersona }) => withoutPersona, {
    token: (rule) => ({ realmRoles: [roleOf(rule)] }),
  }),
  viewerWith('with an RPT permission', (rule) => rptFor(rule)),
  viewerWith('with an RPT permission at another client', (rule) => rptFor(rule, true)),
  viewerWith('with an RPT permission for another action', (rule) => ({
    permission: { forOther: false, resource: rule.resource, action: another(rule) },
  })),
  viewerWith('with an RPT permission for another resource', ({ action }) => ({
    permission: { forOther: false, resource: 'resource:other', action },
  })),
  viewerWith('with the exception roles of other modules', ({ module, action }) => ({
    realmRoles: modules.filter((other) => other !== module).map((other) => `${other}:${action}`),
  })),
  viewerWith('who is super_admin', () => ({ realmRoles: ['super_admin'] })),
  viewerWith('who is super_admin of a client', () => ({ clientRoles: ['super_admin'], otherClientRoles: ['super_admin'] })),
  viewerWith("logged in at the tenant's client", (_, { tenant }) => ({ azp: tenant.clientId })),
  viewerWith("with an application's token", (_, { tenant }) => ({ azp: tenant.clientId, hasSession: false })),

  user('a deleted user', ({ deleted }) => deleted),
  user('an unknown person', () => ({ subject: 'unknown' })),

  application('of the tenant', ({ tenant }) => ({ azp: tenant.clientId })),
  application(
    'with X-Tenant-Id',
    ({ tenant }) => ({ azp: tenant.clientId }),
    ({ foreign }) => foreign.id,
  ),
  application('of no tenant', () => ({ azp: otherClient })),
  application('of an inactive tenant', ({ inactive }) => ({ azp: inactive.clientId })),
  application("with a login's token", ({ tenant }) => ({ azp: tenant.clientId, hasSession: true })),
  application('without azp', () => ({ azp: '' })),
];

/** For callers of endpoints without roles. */
const anyRule: UserRule = {
  kind: 'user',
  module: 'users',
  action: 'read',
  resource: 'resource:users',
  globalOnly: false,
  ownTenant: false,
};

export interface Caller {
  name: string;
  actor: Actor;
  /** The error code that the oracle expects; undefined: the guard lets the caller pass. */
  refused: string | undefined;
}

/** Every kind of caller of an endpoint with this rule, and what the oracle expects for it. */
export const callersOf = (fixture: Fixture, rule: Rule): Promise<Caller[]> =>
  Promise.all(
    kinds.map(async ({ name, token, bearer, tenant }) => {
      const content = token(fixture, rule.kind === 'user' ? rule : anyRule);
      const signed = content ? await fixture.sign(content) : await bearer?.(fixture);
      const header = tenant?.(fixture);
      const decision = authorize(resolveCaller(fixture.model, rule, content, header), rule);
      return {
        name,
        actor: { ...(signed === undefined ? {} : { token: signed }), ...(header === undefined ? {} : { tenant: header }) },
        refused: 'refused' in decision ? decision.refused : undefined,
      };
    }),
  );
