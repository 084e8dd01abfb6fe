import { inFile, type Mutant } from '../mutant.ts';

const cache = inFile('packages/auth/src/caller-cache.ts');
const memberships = inFile('apps/api/src/resources/memberships.ts');
const scopes = inFile('apps/api/src/resources/organization-scopes.ts');
const users = inFile('apps/api/src/resources/users.ts');
const serviceUsers = inFile('apps/api/src/resources/service-users.ts');
const tenants = inFile('apps/api/src/resources/tenants.ts');
const transactions = inFile('apps/api/src/request/transactions.ts');
const readReplica = inFile('apps/api/src/request/read-replica.ts');

/** Changes of permissions that do not take effect on the next request. */
export const callerInvalidation: readonly Mutant[] = [
  cache(
    'A user keeps revoked permissions until the cache expires',
    '      for (const sub of invalidation.sub ?? []) store.delete(sub);\n',
    '',
  ),
  cache(
    'Applications keep access to a deactivated tenant',
    '      if (invalidation.clientId) removeClients(store, new Set(invalidation.clientId));\n',
    '',
  ),
  cache(
    'A caller loaded before a change is cached after it',
    'if (generation === this.#generation) put(store,',
    'put(store,',
    'packages/auth/test/unit/caller-cache.test.ts',
  ),
  cache(
    'A request after a change joins a load that began before it',
    '    this.#loads.clear();\n',
    '',
    'packages/auth/test/unit/caller-cache.test.ts',
  ),
  memberships(
    'A member keeps the previous persona',
    '    invalidateCallers({ userId: [userId] });\n',
    '    invalidateCallers({ userId: [] });\n',
  ),
  transactions(
    'A member keeps the previous persona on this instance until its notification arrives',
    '[...invalidations, { sub: subjects }]',
    'invalidations',
    'apps/api/test/operation/transactions.test.ts',
  ),
  memberships(
    'A removed member keeps access',
    '    invalidateCallers({ sub: [idIdentity] });\n    await db.atCommit.run(deleteMembership',
    '    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n    await db.atCommit.run(deleteMembership',
  ),
  scopes(
    'A member who becomes RESTRICTED keeps access to every organization',
    '    invalidateCallers({ sub: [idIdentity] });\n',
    '    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n',
    'apps/api/test/authorization/scope.test.ts',
  ),
  users(
    'A user who is no longer Global keeps global access',
    '    invalidateCallers({ sub: [idIdentity] });\n    return db.atCommit.patch(patchUser',
    '    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n    return db.atCommit.patch(patchUser',
  ),
  users(
    'A deleted user keeps access',
    '    invalidateCallers({ sub: [idIdentity] });\n    await db.atCommit.run(deleteUser',
    '    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n    await db.atCommit.run(deleteUser',
  ),
  serviceUsers(
    'A user keeps the previous persona after an application changes it',
    '    invalidateCallers({ sub: [user.idIdentity] });\n',
    '    invalidateCallers({ sub: [] });\n',
  ),
  tenants(
    'Members keep access to a deactivated tenant',
    "    if (changes('active')) invalidateCallers({ sub: await subjectsOfMembers(db, input.id) });\n",
    '',
  ),
  tenants(
    'An application keeps access after its tenant has another client',
    "if (changes('active') || changes('identityClientId')) invalidate",
    "if (changes('active')) invalidate",
  ),
  tenants(
    'A user who becomes a member while the tenant is deactivated keeps access',
    "select(['active', 'identityClientId']).where('id', '=', p.id).forUpdate()",
    "select(['active', 'identityClientId']).where('id', '=', p.id)",
    'apps/api/test/caller-cache/tenant-changes.test.ts',
  ),
  tenants(
    'Members keep access to a deleted tenant',
    '{ sub: await subjectsOfMembers(db, input.id), clientId: clientIds(tenant) }',
    '{ clientId: clientIds(tenant) }',
    'apps/api/test/caller-cache/invalidation.test.ts',
  ),
  readReplica(
    'A RESTRICTED member reads a revoked organization from a replica',
    "kind === 'restricted' ? undefined : this.#replica.current()",
    'kind && this.#replica.current()',
    'apps/api/test/read-replica/consistency.test.ts',
  ),
];
