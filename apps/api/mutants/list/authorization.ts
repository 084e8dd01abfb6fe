import { inFile, type Mutant } from '../mutant.ts';

const may = inFile('packages/auth/src/may.ts');
const access = inFile('packages/contracts/src/access.ts');
const steps = inFile('apps/api/src/request/steps.ts');
const authorize = inFile('apps/api/src/request/steps/authorize.ts');
const requireOwnTenant = inFile('apps/api/src/request/steps/require-own-tenant.ts');
const withDatabaseSlot = inFile('apps/api/src/request/steps/with-database-slot.ts');
const scopeChecks = inFile('apps/api/src/request/scope-checks.ts');
const memberships = inFile('apps/api/src/resources/memberships.ts');
const users = inFile('apps/api/src/resources/users.ts');
const trpcCall = inFile('apps/api/src/transports/trpc/call.ts');
const restCall = inFile('apps/api/src/transports/rest/call.ts');

const globalUsersTest = 'apps/api/test/authorization/global-users.test.ts';

/** Who may call what, and what a refusal reveals. */
export const authorization: readonly Mutant[] = [
  may('super_admin and RPT permissions open the reserved modules', 'if (!access.reserved && (isSuperAdmin', 'if ((isSuperAdmin'),
  may('A role opens the organization scopes of members', "  if (access.globalOnly) return 'denied';\n", ''),
  may(
    'Every member has the permissions of a tenant-admin',
    'personaHas(caller.tenant.persona, access)',
    "personaHas('tenant-admin', access)",
  ),
  may('A member reads other tenants with their persona', "return access.ownTenant ? 'own-tenant' : 'allowed';", "return 'allowed';"),
  may(
    'An exception role for one action allows every action',
    '`${access.module}:${access.action}`',
    "[...roles].find((role) => role.startsWith(access.module)) ?? ''",
  ),
  access('A viewer changes organizations', 'technician: [R], viewer: [R] },', 'technician: [R], viewer: [R, U] },'),
  access('A role opens the reserved module of customers', "  'customers',\n", ''),
  authorize('Any user calls any endpoint', "  if (decision === 'denied') throw new ProblemError('NOT_ALLOWED');\n", ''),
  authorize('A request whose tenant was refused is served', '  if (caller.refusal) throw new ProblemError(caller.refusal);\n', ''),
  steps(
    'A client keeps revoked permissions by sending its body slowly',
    '...(endpoint.body ? reauthorize : []), ',
    '',
    'apps/api/test/security/revoked-while-waiting.test.ts',
  ),
  requireOwnTenant(
    'A member reads another tenant by its id in the path',
    "  if (ownTenant && input[ownTenant.field] !== ownTenant.tenantId) throw new ProblemError('TENANT_NOT_FOUND');\n",
    '',
  ),
  withDatabaseSlot(
    'A request that waits for the database keeps revoked permissions',
    'hasWaited ? stepsAfterWait : steps',
    'steps',
    'apps/api/test/security/revoked-while-waiting.test.ts',
  ),
  scopeChecks(
    'A user learns from 404 that an organization outside their scope does not exist',
    "organizationScope.kind === 'all' ? 'ORGANIZATION_NOT_FOUND' : 'NOT_ALLOWED_ORGANIZATION'",
    "'ORGANIZATION_NOT_FOUND'",
  ),
  users(
    'A user who may create users creates a Global one',
    "  if (!caller.isGlobal && types.includes('Global')) throw new ProblemError('NOT_ALLOWED');\n",
    '',
    globalUsersTest,
  ),
  users(
    "A user who is not Global changes a Global user's record and memberships",
    '  assertMayManage(caller, user.type);\n',
    '',
    globalUsersTest,
  ),
  memberships(
    'A refused assignment of a Global user is committed',
    "where('member.type', '<>', 'Global')",
    "where('member.type', '<>', 'None')",
    globalUsersTest,
  ),
  trpcCall(
    'tRPC ignores X-Tenant-Id',
    'return this.#request.headers[name]?.toString();',
    "return name === 'x-tenant-id' ? undefined : this.#request.headers[name]?.toString();",
  ),
  restCall(
    'REST ignores X-Tenant-Id',
    'return this.#request.headers[name]?.toString();',
    "return name === 'x-tenant-id' ? undefined : this.#request.headers[name]?.toString();",
  ),
];
