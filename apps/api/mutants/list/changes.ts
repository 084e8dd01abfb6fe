import { inFile, type Mutant } from '../mutant.ts';

const cache = inFile('packages/auth/src/caller-cache.ts');
const memberships = inFile('apps/api/src/resources/memberships.ts');
const scopes = inFile('apps/api/src/resources/organization-scopes.ts');
const users = inFile('apps/api/src/resources/users.ts');
const serviceUsers = inFile('apps/api/src/resources/service-users.ts');
const tenants = inFile('apps/api/src/resources/tenants.ts');

/** Changes of rights that do not take effect on the next request. */
export const changes: readonly Mutant[] = [
  cache('a change of a person leaves the person cached', '    for (const sub of change.sub ?? []) this.#local.delete(sub);\n', ''),
  cache('a change of a tenant leaves everybody cached', '    if (change.all) this.#local.clear();\n', ''),
  memberships(
    'a new membership, or persona, is not noticed',
    '    await assign(db, { userId, tenantId, persona });\n    changed({ sub: [idIdentity] });\n',
    '    await assign(db, { userId, tenantId, persona });\n    changed({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  memberships(
    'the end of a membership is not noticed',
    ".where('tenantId', '=', tenantId).execute();\n    changed({ sub: [idIdentity] });\n",
    ".where('tenantId', '=', tenantId).execute();\n    changed({ sub: idIdentity === undefined ? [] : [] });\n",
  ),
  scopes(
    'a new restriction is not noticed',
    '    changed({ sub: [idIdentity] });\n',
    '    changed({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  users(
    'a Global user who is one no more is not noticed',
    '    const { idIdentity } = await userToChange(db, caller, id);\n    changed({ sub: [idIdentity] });\n',
    '    const { idIdentity } = await userToChange(db, caller, id);\n    changed({ sub: idIdentity === undefined ? [] : [] });\n',
  ),
  users(
    'the deletion of a user is not noticed',
    "      .where('id', '=', input.id)\n      .execute();\n    changed({ sub: [idIdentity] });\n",
    "      .where('id', '=', input.id)\n      .execute();\n    changed({ sub: idIdentity === undefined ? [] : [] });\n",
  ),
  serviceUsers(
    'a persona that an application gives is not noticed',
    '    changed({ sub: [known.idIdentity] });\n',
    '    changed({ sub: [] });\n',
  ),
  tenants(
    'a tenant that becomes inactive, or changes its client, is not noticed',
    '    if (!tenant) throw notFound();\n    changed({ all: true });\n',
    '    if (!tenant) throw notFound();\n    changed({ sub: [] });\n',
  ),
  tenants(
    'the deletion of a tenant is not noticed',
    ".returning('id').executeTakeFirstOrThrow(notFound);\n    changed({ all: true });\n",
    ".returning('id').executeTakeFirstOrThrow(notFound);\n    changed({ sub: [] });\n",
  ),
];
