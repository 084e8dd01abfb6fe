import { dropCondition, remove, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

/** Tokens, and the user, application and tenant to which they belong. */
export const authentication: readonly Mutant[] = [
  mutant('A user works in an inactive tenant', dropCondition('auth/findUser', 'tenants.active')),
  mutant(
    'A user selects a tenant without being a member',
    replace(
      'loadUser',
      "refuse(_ ? _ : 'TENANT_NOT_ALLOWED')",
      "wanted ? { ...identity, tenant: { id: wanted, persona: 'viewer' }, refusal: null, organizationScope: { kind: 'tenant', tenantId: wanted } } : refuse('TENANT_NOT_ALLOWED')",
    ),
  ),
  mutant('A request with an invalid X-Tenant-Id runs in the only tenant of the user', replace('loadUser', '_id ?? null', '_id')),
  mutant('A user of several tenants works in one that they did not select', replace('loadUser', 'found.length > 1', 'false')),
  mutant('A member without a persona reads as a viewer', replace('loadUser', 'if (!user.persona) _', "user.persona ??= 'viewer';")),
  mutant('A RESTRICTED member reads every organization of the tenant', replace('loadUser', "user.scope === 'RESTRICTED'", 'false')),
  mutant('A Global user with an active tenant reads every tenant', replace('loadUser', "tenantHeader === '' && isGlobal", 'isGlobal')),
  mutant('A deleted user calls the service', dropCondition('auth/findUser', 'users.deletedAt')),
  mutant('An application of an inactive tenant calls the service', dropCondition('auth/findTenant', 'active')),
  mutant('Any application acts for any tenant', dropCondition('auth/findTenant', 'identityClientId')),
  mutant(
    'A user with a token of an application acts as the application',
    replace('auth/findTenant', 'eb.not(eb.exists(_))', 'eb.lit(true)'),
  ),
  mutant("A user who logs in at an application's client acts as the application", remove('requireOwnToken', 'claims.hasSession')),
  mutant(
    'A user acts in one tenant with the permissions cached for another',
    replace('createAuthenticator.loadUserCaller', '`user\\n${tenant}\\n${azp}`', '`user\\n${azp}`'),
  ),
  mutant(
    'An application acts with the cached context of another one that has the same subject',
    replace('createAuthenticator.loadServiceCaller', "['service', azp]", "['service']"),
  ),
  mutant('A user keeps the roles of one token when they call with another', [
    replace(
      'createAuthenticator.loadUserCaller',
      'loadUser(..._args)',
      'loadUser(..._args).then((found) => found && { ...found, claims })',
    ),
    replace('createAuthenticator.loadUserCaller', '{ ...user, ..._rest }', '{ ..._rest, ...user }'),
  ]),
  mutant(
    'Roles of other clients grant permissions',
    replace(
      'auth/src/claims/readClaims',
      "strings(record(record(payload['resource_access'])[clientId])['roles'])",
      "Object.values(record(payload['resource_access'])).flatMap((client) => strings(record(client)['roles']))",
    ),
  ),
  mutant(
    'A client role named super_admin opens everything',
    replace('auth/src/claims/readClaims', "realmRoles.includes('super_admin')", "[...realmRoles, ...clientRoles].includes('super_admin')"),
  ),
  mutant(
    'RPT permissions for other clients grant permissions',
    replace('auth/src/claims/readClaims', 'audience.includes(clientId)', 'audience.length > 0'),
  ),
  mutant(
    'Tokens of other issuers are accepted',
    remove('TokenVerifier.#verify', 'issuer: issuer.url'),
    'packages/auth/test/token-refusals.test.ts',
  ),
  mutant(
    'A token that was accepted once never expires',
    remove('TokenVerifier.verify', 'Date.now() < cached.expiresAt'),
    'packages/auth/test/token.test.ts',
  ),
  mutant(
    'A token with other claims is accepted because a cached one has the same signature',
    remove('TokenVerifier.verify', 'cached.token === token'),
    'packages/auth/test/token.test.ts',
  ),
];
