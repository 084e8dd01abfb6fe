import { inFile, type Mutant } from '../mutant.ts';

const cache = inFile('packages/auth/src/caller-cache.ts');
const memberships = inFile('apps/api/src/resources/memberships.ts');
const scopes = inFile('apps/api/src/resources/organization-scopes.ts');
const users = inFile('apps/api/src/resources/users.ts');
const serviceUsers = inFile('apps/api/src/resources/service-users.ts');
const tenants = inFile('apps/api/src/resources/tenants.ts');

/** Changes of rights that do not take effect on the next request. */
export const changes: readonly Mutant[] = [
  cache('a change of a person leaves the person cached', '    for (const sub of invalidation.sub ?? []) this.#local.delete(sub);\n', ''),
  cache('a change of a tenant leaves everybody cached', '    if (invalidation.all) this.#local.clear();\n', ''),
  cache(
    'what was read before a change is remembered after it',
    '    if (generation === this.#generation) this.#remember',
    '    this.#remember',
    'packages/auth/test/unit/caller-cache.test.ts',
  ),
  cache(
    'who asks after a change waits for what is being read since before it',
    '    this.#loads.clear();\n',
    '',
    'packages/auth/test/unit/caller-cache.test.ts',
  ),
  memberships(
    'a new membership, or persona, is not noticed',
    '    await assign(db, { userId, tenantId, persona });\n    invalidateCallers({ sub: [idIdentity] });\n',
    '    await assign(db, { userId, tenantId, persona });\n    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  memberships(
    'the end of a membership is not noticed',
    '    await db.run(deleteMembership, { userId, tenantId });\n    invalidateCallers({ sub: [idIdentity] });\n',
    '    await db.run(deleteMembership, { userId, tenantId });\n    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  scopes(
    'a new restriction is not noticed',
    '    invalidateCallers({ sub: [idIdentity] });\n',
    '    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  users(
    'a Global user who is one no more is not noticed',
    '    const { idIdentity } = await userToChange(db, caller, input.id);\n    invalidateCallers({ sub: [idIdentity] });\n',
    '    const { idIdentity } = await userToChange(db, caller, input.id);\n    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  users(
    'the deletion of a user is not noticed',
    '    await db.run(deleteUser, { id, deletedAt: new Date().toISOString() });\n    invalidateCallers({ sub: [idIdentity] });\n',
    '    await db.run(deleteUser, { id, deletedAt: new Date().toISOString() });\n    invalidateCallers({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  serviceUsers(
    'a persona that an application gives is not noticed',
    '    invalidateCallers({ sub: [known.idIdentity] });\n',
    '    invalidateCallers({ sub: [] });\n',
  ),
  tenants(
    'a tenant that becomes inactive, or changes its client, is not noticed',
    '    if (!tenant) throw notFound();\n    invalidateCallers({ all: true });\n',
    '    if (!tenant) throw notFound();\n    invalidateCallers({ sub: [] });\n',
  ),
  tenants(
    'the deletion of a tenant is not noticed',
    '    await db.first(deleteTenant, input, notFound);\n    invalidateCallers({ all: true });\n',
    '    await db.first(deleteTenant, input, notFound);\n    invalidateCallers({ sub: [] });\n',
  ),
];
