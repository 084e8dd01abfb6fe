import { inFile, type Mutant } from '../mutant.ts';

const store = inFile('packages/auth/src/store.ts');
const authenticator = inFile('packages/auth/src/authenticator.ts');
const claims = inFile('packages/auth/src/claims.ts');
const token = inFile('packages/auth/src/token.ts');

/** Tokens, and the user, application and tenant to which they belong. */
export const authentication: readonly Mutant[] = [
  store('A user works in an inactive tenant', "          .where('tenants.active', '=', true)\n", ''),
  store(
    'A user selects a tenant without being a member',
    "  if (!user.tenantId) return refuse(tenantHeader === '' ? 'ACTIVE_TENANT_REQUIRED' : 'TENANT_NOT_ALLOWED');",
    "  if (!user.tenantId && wanted) return { ...identity, tenant: { id: wanted, persona: 'viewer' }, refusal: null, organizationScope: { kind: 'tenant', tenantId: wanted } };\n  if (!user.tenantId) return refuse(tenantHeader === '' ? 'ACTIVE_TENANT_REQUIRED' : 'TENANT_NOT_ALLOWED');",
  ),
  store(
    'A request with an invalid X-Tenant-Id runs in the only tenant of the user',
    "const wanted = tenantHeader === '' ? undefined : (Uuid.safeParse(tenantHeader).data ?? null);",
    'const wanted = Uuid.safeParse(tenantHeader).data;',
  ),
  store(
    'A user of several tenants works in one that they did not select',
    "  if (found.length > 1) return refuse('ACTIVE_TENANT_REQUIRED');\n",
    '',
  ),
  store(
    'A member without a persona reads as a viewer',
    "  if (!user.persona) return refuse('PERSONA_NOT_ASSIGNED');",
    "  user.persona ??= 'viewer';",
  ),
  store(
    'A RESTRICTED member reads every organization of the tenant',
    "const restricted = user.scope === 'RESTRICTED' && !isGlobal",
    'const restricted = !user.id && !isGlobal',
  ),
  store('A Global user with an active tenant reads every tenant', "if (tenantHeader === '' && isGlobal)", 'if (isGlobal)'),
  store('A deleted user calls the service', "    .where('users.deletedAt', 'is', null),\n);", ');'),
  store('An application of an inactive tenant calls the service', "    .where('active', '=', true)\n", ''),
  store('Any application acts for any tenant', "    .where('identityClientId', '=', p.azp)\n", ''),
  store(
    'A user with a token of an application acts as the application',
    "      eb.not(\n        eb.exists(eb.selectFrom('users').select('users.id').where('users.idIdentity', '=', p.sub).where('users.deletedAt', 'is', null)),\n      ),",
    '      eb.val(sub.length > 0),',
  ),
  authenticator(
    "A user who logs in at an application's client acts as the application",
    "if (claims.hasSession || claims.azp === '')",
    "if (claims.azp === '')",
  ),
  authenticator('A user acts in one tenant with the permissions cached for another', '`user\\n${tenant}\\n${azp}`', '`user\\n${azp}`'),
  authenticator(
    'An application acts with the cached context of another one that has the same subject',
    "JSON.stringify(['service', azp])",
    "JSON.stringify(['service'])",
  ),
  authenticator(
    'A user keeps the roles of one token when they call with another',
    `() => admitLoad(sub, () => loadUser(database, sub, tenant)), isRejection);
    const toCaller = (user: StoredUser | null): UserCaller => {
      if (!user) throw new ProblemError('USER_NOT_PROVISIONED');
      return { ...user, kind: 'user', isGlobal: user.type === 'Global', claims };`,
    `() => admitLoad(sub, () => loadUser(database, sub, tenant).then((found) => found && { ...found, claims })), isRejection);
    const toCaller = (user: StoredUser | null): UserCaller => {
      if (!user) throw new ProblemError('USER_NOT_PROVISIONED');
      return { kind: 'user', isGlobal: user.type === 'Global', claims, ...user };`,
  ),
  claims(
    'Roles of other clients grant permissions',
    "strings(record(record(payload['resource_access'])[clientId])['roles'])",
    "Object.values(record(payload['resource_access'])).flatMap((client) => strings(record(client)['roles']))",
  ),
  claims(
    'A client role named super_admin opens everything',
    "realmRoles.includes('super_admin')",
    "[...realmRoles, ...clientRoles].includes('super_admin')",
  ),
  claims(
    'RPT permissions for other clients grant permissions',
    'const granted = audience.includes(clientId) ?',
    'const granted = audience.length > 0 ?',
  ),
  token('Tokens of other issuers are accepted', '        issuer: issuer.url,\n', '', 'packages/auth/test/token-refusals.test.ts'),
  token(
    'A token that was accepted once never expires',
    ' && Date.now() < cached.expiresAt) return',
    ') return',
    'packages/auth/test/token.test.ts',
  ),
];
