import { personas } from '@profile-service/contracts';
import { authorize, resolveCaller } from '../oracle/guard.ts';
import { modules, type Rule, type UserRule } from '../oracle/rules.ts';
import { otherClient, type Token, tokenOf } from '../oracle/token.ts';
import type { Actor } from '../support/api.ts';
import type { Fixture } from './fixture.ts';

/** A kind of caller: the content of the token (null: no valid token), and the X-Tenant-Id. */
interface CallerKind {
  name: string;
  token: (fixture: Fixture, rule: UserRule) => Token | null;
  /** What is sent if the token is not valid. */
  invalidToken?: (fixture: Fixture) => Promise<string>;
  tenant?: ((fixture: Fixture) => string) | undefined;
}
type Person = (fixture: Fixture) => { subject: string };
type TokenParts = Partial<Omit<Token, 'sub'>>;
type TokenPartsOf = (rule: UserRule, fixture: Fixture) => TokenParts;

const user = (name: string, person: Person, token: TokenPartsOf = () => ({}), tenant?: CallerKind['tenant']): CallerKind => ({
  name,
  token: (fixture, rule) => tokenOf(person(fixture).subject, token(rule, fixture)),
  tenant,
});
const userIn = (name: string, person: Person, tenant: CallerKind['tenant']) => user(name, person, undefined, tenant);
const viewer = (name: string, token: TokenPartsOf) => user(`a viewer ${name}`, ({ members }) => members.viewer, token);
const application = (name: string, token: (fixture: Fixture) => TokenParts, tenant?: CallerKind['tenant']): CallerKind => ({
  name: `an application ${name}`,
  token: (fixture) => tokenOf(`application ${name}`, { hasSession: false, ...token(fixture) }),
  tenant,
});

const exceptionRole: TokenPartsOf = ({ module, action }) => ({ realmRoles: [`${module}:${action}`] });
const another = ({ action }: UserRule) => (action === 'read' ? 'create' : 'read');
const rptFor = ({ resource, action }: UserRule, forOther = false): TokenParts => ({ permission: { forOther, resource, action } });
const own = ({ tenant }: Fixture) => tenant.id;

const withoutValidToken: readonly CallerKind[] = [
  { name: 'nobody', token: () => null },
  { name: 'a caller with an expired token', token: () => null, invalidToken: ({ world }) => world.tokenOf({ claims: { exp: 1 } }) },
];

/** What the guard decides by: the active tenant with its persona (see also active-tenant.test.ts), and the content of the token. */
const users: readonly CallerKind[] = [
  user('a Global user', ({ first }) => first),
  userIn('a Global user in a tenant', ({ globalMember }) => globalMember, own),
  userIn('a Global user without persona in the tenant', ({ globalWithoutPersona }) => globalWithoutPersona, own),
  ...personas.map((persona) => user(`a ${persona}`, ({ members }) => members[persona])),
  user('a user without tenants', ({ ofNoTenant }) => ofNoTenant),
  userIn(
    'a user in the tenant of others',
    ({ members }) => members.viewer,
    ({ foreign }) => foreign.id,
  ),
  user('a member without persona', ({ withoutPersona }) => withoutPersona),

  viewer('with the exception role', exceptionRole),
  viewer("with the exception role of this service's client", ({ module, action }) => ({ clientRoles: [`${module}:${action}`] })),
  viewer('with the exception role of another client', ({ module, action }) => ({ otherClientRoles: [`${module}:${action}`] })),
  viewer('with the exception role of another action', (rule) => ({ realmRoles: [`${rule.module}:${another(rule)}`] })),
  viewer('with a wildcard as role', ({ module }) => ({ realmRoles: [`${module}:*`, '*', `${module}:`, module] })),
  viewer('with the exception role in capitals', ({ module, action }) => ({ realmRoles: [`${module}:${action}`.toUpperCase()] })),
  user('a user without tenants, with the exception role', ({ ofNoTenant }) => ofNoTenant, exceptionRole),
  user('a member without persona, with the exception role', ({ withoutPersona }) => withoutPersona, exceptionRole),
  viewer('with an RPT permission', (rule) => rptFor(rule)),
  viewer('with an RPT permission at another client', (rule) => rptFor(rule, true)),
  viewer('with an RPT permission for another action', (rule) => rptFor({ ...rule, action: another(rule) })),
  viewer('with an RPT permission for another resource', (rule) => rptFor({ ...rule, resource: 'resource:other' })),
  viewer('with the exception roles of other modules', ({ module, action }) => ({
    realmRoles: modules.filter((other) => other !== module).map((other) => `${other}:${action}`),
  })),
  viewer('who is super_admin', () => ({ realmRoles: ['super_admin'] })),
  viewer('who is super_admin of a client', () => ({ clientRoles: ['super_admin'], otherClientRoles: ['super_admin'] })),

  user('a deleted user', ({ deleted }) => deleted),
  user('an unknown person', () => ({ subject: 'unknown' })),
  application('of the tenant', ({ tenant }) => ({ azp: tenant.clientId })),
];

const applications: readonly CallerKind[] = [
  user('a Global user', ({ first }) => first),
  viewer("logged in at the tenant's client", (_, { tenant }) => ({ azp: tenant.clientId })),
  viewer("with an application's token", (_, { tenant }) => ({ azp: tenant.clientId, hasSession: false })),
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

/** For the tokens of callers at endpoints without permissions. */
const anyRule: UserRule = {
  kind: 'user',
  module: 'users',
  action: 'read',
  resource: 'resource:users',
  globalOnly: false,
  ownTenant: false,
  wholeTenant: false,
};

export interface Caller {
  name: string;
  /** The error code that the oracle expects; undefined: the guard lets the caller pass. */
  refused: string | undefined;
  signIn(): Promise<Actor>;
}

/**
 * The kinds of callers of an endpoint with this rule, and what the oracle expects for each.
 * @param rowRule the rule of the rows of an import, which the caller must satisfy too
 */
export const callersOf = (fixture: Fixture, rule: Rule, rowRule: Rule = rule): Caller[] =>
  [...withoutValidToken, ...(rule.kind === 'service' ? applications : users)].map(({ name, token, invalidToken, tenant }) => {
    const content = token(fixture, rule.kind === 'user' ? rule : anyRule);
    const header = tenant?.(fixture);
    const caller = resolveCaller(fixture.model, rule, content, header);
    const decisions = [rule, rowRule].map((each) => authorize(caller, each));
    return {
      name,
      refused: decisions.flatMap((decision) => ('refused' in decision ? [decision.refused] : []))[0],
      async signIn() {
        const signed = content ? await fixture.sign(content) : await invalidToken?.(fixture);
        return { ...(signed === undefined ? {} : { token: signed }), ...(header === undefined ? {} : { tenant: header }) };
      },
    };
  });
