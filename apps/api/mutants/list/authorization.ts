import { remove, removeCall, removeThrow, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const globalUsers = 'apps/api/test/authorization/global-users.test.ts';
const revokedWhileWaiting = 'apps/api/test/security/revoked-while-waiting.test.ts';

/** Who may call what, and what a refusal reveals. */
export const authorization: readonly Mutant[] = [
  mutant('super_admin and RPT permissions open the reserved modules', remove('may', '!access.reserved')),
  mutant('A role opens the organization scopes of members', replace('may', 'access.globalOnly', 'false')),
  mutant('Every member has the permissions of a tenant-admin', replace('may', 'caller.tenant.persona', "'tenant-admin'")),
  mutant('A member reads other tenants with their persona', replace('may', "'own-tenant'", "'allowed'")),
  mutant(
    'An exception role for one action allows every action',
    replace('may', 'roles.has(_)', '[...roles].some((role) => role.startsWith(access.module))'),
  ),
  mutant('A viewer changes organizations', replace('matrix.organizations', 'viewer: [R]', 'viewer: [R, U]')),
  mutant('A role opens the reserved module of customers', remove('reserved', "'customers'")),
  mutant('Any user calls any endpoint', removeThrow('authorizeCaller', 'NOT_ALLOWED')),
  mutant('A request whose tenant was refused is served', remove('authorizeCaller', 'if (caller.refusal) _')),
  mutant(
    'A client keeps revoked permissions by sending its body slowly',
    replace('acceptWrite', 'await reauthorize(..._)', 'admitted'),
    revokedWhileWaiting,
  ),
  mutant('A member reads another tenant by its id in the path', removeThrow('assertOwnTenant', 'TENANT_NOT_FOUND')),
  mutant(
    'A request that waits for the database keeps revoked permissions',
    replace('withDatabaseSlot', 'hasWaited ? _ : _authorization', '_authorization'),
    revokedWhileWaiting,
  ),
  mutant(
    'A user learns from 404 that an organization outside their scope does not exist',
    replace('outOfScope', "'NOT_ALLOWED_ORGANIZATION'", "'ORGANIZATION_NOT_FOUND'"),
  ),
  mutant('A user who may create users creates a Global one', removeThrow('assertMayManage', 'NOT_ALLOWED'), globalUsers),
  mutant(
    "A user who is not Global changes a Global user's record and memberships",
    removeCall('lockUserForChange', 'assertMayManage'),
    globalUsers,
  ),
  mutant(
    "A user who is not Global changes a Global user's memberships",
    replace('lockMember', 'lockUserForChange(_db, caller, _id)', 'lockUserForChange(_db, { ...caller, isGlobal: true }, _id)'),
    globalUsers,
  ),
  mutant(
    'tRPC ignores X-Tenant-Id',
    replace('TrpcRequest.header', '_request.headers[name]', "name === 'x-tenant-id' ? undefined : _request.headers[name]"),
  ),
  mutant(
    'REST ignores X-Tenant-Id',
    replace('RestRequest.header', '_request.headers[name]', "name === 'x-tenant-id' ? undefined : _request.headers[name]"),
  ),
];
