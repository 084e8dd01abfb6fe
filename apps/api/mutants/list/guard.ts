import { inFile, type Mutant } from '../mutant.ts';

const guard = inFile('packages/auth/src/may.ts');
const access = inFile('packages/contracts/src/access.ts');
const operation = inFile('apps/api/src/operation/operation.ts');
const reach = inFile('apps/api/src/resources/scope-checks.ts');
const users = inFile('apps/api/src/resources/users.ts');
const trpc = inFile('apps/api/src/transports/trpc/trpc.ts');
const rest = inFile('apps/api/src/transports/rest/rest.ts');

/** Who may do what, and what those learn who may not. */
export const guards: readonly Mutant[] = [
  guard('super_admin and RPT permissions open the reserved modules', 'if (!access.reserved && (isSuperAdmin', 'if ((isSuperAdmin'),
  guard('a role opens the organization scopes', "  if (access.globalOnly) return 'denied';\n", ''),
  guard('everybody has what a tenant-admin has', 'personaHas(caller.tenant.persona, access)', "personaHas('tenant-admin', row)"),
  guard('members see other tenants by their persona', "return access.ownTenant ? 'own-tenant' : 'allowed';", "return 'allowed';"),
  guard(
    'an exception role for one scope opens all scopes',
    '`${access.module}:${access.action}`',
    "[...roles].find((role) => role.startsWith(access.module)) ?? ''",
  ),
  access('viewers change organizations', 'technician: [R], viewer: [R] },', 'technician: [R], viewer: [R, U] },'),
  access('customers are not reserved', "  'customers',\n", ''),
  operation('the guard is not asked', "  if (decision === 'denied') throw new ProblemError('NOT_ALLOWED');\n", ''),
  operation('a refused tenant is no refusal', '  if (caller.refusal) throw new ProblemError(caller.refusal);\n', ''),
  operation(
    'who holds a request open keeps what is taken from them meanwhile',
    "endpoint.body || endpoint.media === 'download' ? await authenticate(endpoint, call, deps.authenticator) : before",
    'before',
    'apps/api/test/security/revoked-while-waiting.test.ts',
  ),
  operation(
    "members see other tenants, the path's is not compared with theirs",
    "  if (ownTenant && input[ownTenant.field] !== ownTenant.tenantId) throw new ProblemError('TENANT_NOT_FOUND');\n",
    '',
  ),
  operation(
    'who waits for the database keeps what is taken from them meanwhile',
    'if (!hasWaited) return work(caller);',
    'if (caller) return work(caller);',
    'apps/api/test/security/revoked-while-waiting.test.ts',
  ),
  reach(
    'who may not see an organization learns by 404 that it does not exist',
    "organizationScope.kind === 'all' ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION'",
    "'ORGANIZATION_NOT_FOUND'",
  ),
  users(
    'whoever may create users makes themselves a Global one',
    "  if (!caller.isGlobal && types.includes('Global')) throw new ProblemError('NOT_ALLOWED');\n",
    '',
  ),
  users("a Global user's memberships and record are invalidateCallers by who is none", '  guardGlobal(caller, user.type);\n', ''),
  trpc('over tRPC X-Tenant-Id counts for nothing', "tenant: request.headers['x-tenant-id']?.toString(),", 'tenant: undefined,'),
  rest('over REST X-Tenant-Id counts for nothing', "tenant: request.headers['x-tenant-id']?.toString(),", 'tenant: undefined,'),
];
