import { inFile, type Mutant } from '../mutant.ts';

const store = inFile('packages/auth/src/store.ts');
const authenticator = inFile('packages/auth/src/authenticator.ts');
const claims = inFile('packages/auth/src/claims.ts');
const token = inFile('packages/auth/src/token.ts');

/** Who calls, with which token, in which tenant. */
export const callers: readonly Mutant[] = [
  store('an inactive tenant can be worked in', "          .where('tenants.active', '=', true)\n", ''),
  store(
    'a tenant can be named without a membership in it',
    "  if (!user.tenantId) return refuse(tenantHeader === '' ? 'ACTIVE_TENANT_REQUIRED' : 'TENANT_NOT_ALLOWED');",
    "  if (!user.tenantId && wanted) return { ...identity, tenant: { id: wanted, persona: 'viewer' }, refusal: null, organizationScope: { kind: 'tenant', tenantId: wanted } };\n  if (!user.tenantId) return refuse(tenantHeader === '' ? 'ACTIVE_TENANT_REQUIRED' : 'TENANT_NOT_ALLOWED');",
  ),
  store(
    'a header that is refused falls back to the one tenant there is',
    "const wanted = tenantHeader === '' ? undefined : (Uuid.safeParse(tenantHeader).data ?? null);",
    'const wanted = Uuid.safeParse(tenantHeader).data;',
  ),
  store(
    'of several tenants one is taken without being asked for',
    "  if (found.length > 1) return refuse('ACTIVE_TENANT_REQUIRED');\n",
    '',
  ),
  store(
    'a membership without persona reads as a viewer',
    "  if (!user.persona) return refuse('PERSONA_NOT_ASSIGNED');",
    "  user.persona ??= 'viewer';",
  ),
  store(
    'RESTRICTED restricts nobody',
    "const restricted = user.scope === 'RESTRICTED' && !isGlobal",
    'const restricted = !user.id && !isGlobal',
  ),
  store('a Global user sees all also with an active tenant', "if (tenantHeader === '' && isGlobal)", 'if (isGlobal)'),
  store('deleted users still get in', "    .where('users.deletedAt', 'is', null),\n);", ');'),
  store('an application of an inactive tenant still gets in', "    .where('active', '=', true)\n", ''),
  store('any application acts for any tenant', "    .where('identityClientId', '=', p.azp)\n", ''),
  store(
    'a person with a token of an application acts as the application',
    "      eb.not(\n        eb.exists(eb.selectFrom('users').select('users.id').where('users.idIdentity', '=', p.sub).where('users.deletedAt', 'is', null)),\n      ),",
    '      eb.lit(true),',
  ),
  authenticator(
    "a person's login at an application's client acts as the application",
    "if (claims.hasSession || claims.azp === '')",
    "if (claims.azp === '')",
  ),
  authenticator(
    "a person's cached context of one tenant answers for another",
    "JSON.stringify(['user', claims.azp, tenant])",
    "JSON.stringify(['user', claims.azp])",
  ),
  authenticator(
    "a cached application's context answers for another one's with the same subject",
    "JSON.stringify(['service', claims.azp])",
    "JSON.stringify(['service'])",
  ),
  authenticator(
    'the rights of one token count for another token of the same person',
    `() => loadUser(database, claims.sub, tenant), isBounded);
      if (!stored) throw new ProblemError('USER_NOT_PROVISIONED');
      return { ...stored, kind: 'user', isGlobal: stored.type === 'Global', claims };`,
    `() => loadUser(database, claims.sub, tenant).then((found) => found && { ...found, claims }), isBounded);
      if (!stored) throw new ProblemError('USER_NOT_PROVISIONED');
      return { kind: 'user', isGlobal: stored.type === 'Global', ...stored };`,
  ),
  claims(
    'roles of other clients count',
    "strings(record(record(payload['resource_access'])[clientId])['roles'])",
    "Object.values(record(payload['resource_access'])).flatMap((client) => strings(record(client)['roles']))",
  ),
  claims(
    "a client's super_admin is everybody's",
    "realmRoles.includes('super_admin')",
    "[...realmRoles, ...clientRoles].includes('super_admin')",
  ),
  claims(
    'RPT permissions for other clients count',
    'const granted = audience.includes(clientId) ?',
    'const granted = audience.length > 0 ?',
  ),
  token('tokens of other issuers are accepted', '        issuer: issuer.url,\n', '', 'packages/auth/test/token-refusals.test.ts'),
  token(
    'tokens are accepted for ever once they have been',
    ' && Date.now() < cached.expiresAt) return',
    ') return',
    'packages/auth/test/token.test.ts',
  ),
];
