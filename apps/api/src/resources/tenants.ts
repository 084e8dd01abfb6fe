import { contract, type ErrorCode, ProblemError } from '@profile-service/contracts';
import {
  columns,
  type UnscopedDatabase,
  newId,
  pageStatement,
  patchStatement,
  type Placeholders,
  scopedStatement,
  statement,
} from '@profile-service/db';
import { type InputOf, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { findCustomer } from './customers.ts';
import { findTenant } from './tenant-deleted.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';

const absent = (code: ErrorCode) => () => new ProblemError(code);
const notFound = absent('TENANT_NOT_FOUND');

type ById = Placeholders<{ id: string }>;
type NewTenant = InputOf<typeof contract.tenants.create> & { id: string };

const findApp = statement((db, p: ById) => db.selectFrom('apps').select('id').where('id', '=', p.id));
/** Locks the tenant, so that nobody becomes a member until the commit: their cached caller would miss the invalidation (D-175). */
const lockTenant = statement((db, p: ById) =>
  db.selectFrom('tenants').select(['active', 'identityClientId']).where('id', '=', p.id).forUpdate(),
);
const memberSubjects = statement((db, p: ById) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select('users.idIdentity')
    .where('memberships.tenantId', '=', p.id),
);
const insertTenant = statement((db, p: Placeholders<NewTenant>) =>
  db
    .insertInto('tenants')
    .values(columns(p, 'id', ...bodyColumns(contract.tenants.create)))
    .returningAll(),
);
const listTenants = pageStatement(contract.tenants.list, (db) =>
  db.selectFrom('tenants').select(listedColumns(contract.tenants.list, 'tenants')),
);
const getTenant = statement((db, p: ById) => db.selectFrom('tenants').selectAll().where('id', '=', p.id));
const patchTenant = patchStatement('tenants', 'id', bodyColumns(contract.tenants.update, 'id'));
const deleteTenant = statement((db, p: ById) => db.deleteFrom('tenants').where('id', '=', p.id));
const listOrganizations = scopedStatement((scoped, p: Placeholders<{ tenantId: string }>) =>
  scoped
    .organizationsOf(p.tenantId)
    .select(['organizations.id', 'name', 'alias', 'federalTaxId', 'active', 'listed'])
    .orderBy('organizations.id', 'desc'),
);

/** The subjects of all members: which tenants can become active changes for each of them. */
async function subjectsOfMembers(db: UnscopedDatabase, id: string): Promise<string[]> {
  const members = await db.all(memberSubjects, { id });
  return members.map(({ idIdentity }) => idIdentity);
}

const clientIds = (...tenants: { identityClientId?: string | null | undefined }[]): string[] => [
  ...new Set(tenants.flatMap(({ identityClientId }) => identityClientId ?? [])),
];

export const tenants = implement(contract.tenants, {
  // Customer and app are checked before the client (TENANTS-2). If one is deleted at the same time, its foreign key rejects the insert.
  create: write(async ({ input, unscoped, invalidateCallers }) => {
    await unscoped.first(findCustomer, { id: input.customerId }, absent('CUSTOMER_NOT_FOUND'));
    await unscoped.first(findApp, { id: input.appId }, absent('APP_NOT_FOUND'));
    // The client may have called before it was linked, and its rejection may be cached.
    if (input.identityClientId != null) invalidateCallers({ clientId: clientIds(input) });
    return unscoped.atCommit.one(insertTenant, { ...input, id: newId() });
  }),

  list: read(({ input, unscoped, encodeRow }) => readList(unscoped, listTenants, input, encodeRow)),

  get: read(({ input, unscoped }) => unscoped.first(getTenant, input, notFound)),

  update: write(async ({ input, unscoped, invalidateCallers }) => {
    const tenant = await unscoped.first(lockTenant, input, notFound);
    const changes = (column: keyof typeof tenant) => input[column] !== undefined && input[column] !== tenant[column];
    if (changes('active')) invalidateCallers({ sub: await subjectsOfMembers(unscoped, input.id) });
    if (changes('active') || changes('identityClientId')) invalidateCallers({ clientId: clientIds(tenant, input) });
    return unscoped.atCommit.patch(patchTenant, input, notFound);
  }),

  remove: write(async ({ input, unscoped, invalidateCallers }) => {
    const tenant = await unscoped.first(lockTenant, input, notFound);
    invalidateCallers({ sub: await subjectsOfMembers(unscoped, input.id), clientId: clientIds(tenant) });
    await unscoped.atCommit.run(deleteTenant, input);
  }),

  organizations: read(async ({ input, unscoped, scoped, encodeRow }) => {
    const [data] = await Promise.all([
      scoped.encoded(listOrganizations, input, encodeRow),
      unscoped.first(findTenant, { id: input.tenantId }, notFound),
    ]);
    return { data };
  }),
});
