import { personas } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { Actor } from '../support/call.ts';
import { addressCells, csvOf, holdOrganization, organizationRow } from '../support/import-rows.ts';
import { importEnd, type ImportBody, uploadImport } from '../support/imports.ts';
import { organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const organizationFile = () => csvOf([organizationRow(world.newTaxId())]);
const upload = (actor: Actor, type = 'organizations', content = organizationFile()) => uploadImport(world, actor, { type }, content);
const idsSeenBy = async (actor: Actor) =>
  (await world.call<{ data: ImportBody[] }>(actor, 'GET /api/imports?limit=100')).body.data.map(({ id }) => id);
const requestsOf = (id: string) => [`GET /api/imports/${id}`, `GET /api/imports/${id}/results`, `DELETE /api/imports/${id}`];
const outcomesOf = async (actor: Actor, id: string) =>
  Promise.all(requestsOf(id).map(async (target) => outcome(await world.call(actor, target))));
const roles = ['imports:create', 'imports:read', 'imports:delete', 'organizations:create'];

// Rules: IMPORTS-1
test.each(personas)('only a tenant-admin may create, read and cancel imports, whatever the token permits: %s', async (persona) => {
  const permissions = [{ rsname: 'resource:imports', scopes: ['create', 'read', 'delete'] }];
  const claims = { realm_access: { roles: ['super_admin'] }, authorization: { permissions } };
  const member = await world.person({ [tenant.id]: persona }, { claims });
  const { body } = await upload(admin);
  await importEnd(world, admin, body.id);
  const seen = [
    (await upload(member)).status,
    (await world.call(member, 'GET /api/imports')).status,
    ...(await outcomesOf(member, body.id)),
  ];
  expect(seen).toEqual(
    persona === 'tenant-admin' ? [202, 200, 200, 200, 'IMPORT_NOT_RUNNING'] : [403, 403, 'NOT_ALLOWED', 'NOT_ALLOWED', 'NOT_ALLOWED'],
  );
});

// Rules: IMPORTS-2
test('a member sees the imports of the active tenant, a RESTRICTED one only their own, and a Global user without tenant all', async () => {
  const other = await world.tenant();
  const [foreign, restricted, global] = [
    await world.person({ [other.id]: 'tenant-admin' }),
    await world.person({ [tenant.id]: 'viewer' }, { roles }),
    await world.person({ [other.id]: 'viewer' }, { type: 'Global' }),
  ];
  await restrict(world, restricted.id, tenant.id, [(await organizationOf(world, tenant)).id]);
  const uploaders = [admin, restricted, foreign, world.global];
  const ids: string[] = [];
  for (const uploader of uploaders) ids.push((await importEnd(world, uploader, (await upload(uploader)).body.id)).id);
  const visible: [Actor, boolean[]][] = [
    [admin, [true, true, false, false]],
    [restricted, [false, true, false, false]],
    [foreign, [false, false, true, false]],
    [{ ...global, tenant: other.id }, [false, false, true, false]],
    [global, [true, true, true, true]],
  ];
  for (const [actor, expected] of visible) {
    const listed = await idsSeenBy(actor);
    expect(ids.map((id) => listed.includes(id))).toEqual(expected);
    for (const [index, id] of ids.entries())
      expect(await outcomesOf(actor, id)).toEqual(
        expected[index] ? [200, 200, 'IMPORT_NOT_RUNNING'] : Array.from({ length: 3 }, () => 'IMPORT_NOT_FOUND'),
      );
  }
});

// Rules: IMPORTS-3
test('an import of a type whose POST the caller may not call is refused, and its file is not kept', async () => {
  const rowOf = { users: 'name,email,federalTaxId,type', customers: 'name,federalTaxId', memberships: 'userId,tenantId,persona' };
  const coordinator = await world.person({ [tenant.id]: 'coordinator' }, { roles });
  const coordinatorOnly = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['imports:create'] });
  const mayCreateUsers = await world.person({ [tenant.id]: 'tenant-admin' }, { roles: ['users:create'] });
  const keys = await world.storedFiles.keys();
  for (const [type, header] of Object.entries(rowOf)) expect((await upload(admin, type, header)).code).toBe('NOT_ALLOWED');
  expect((await upload(coordinatorOnly)).code).toBe('NOT_ALLOWED');
  expect(await world.storedFiles.keys()).toEqual(keys);
  expect((await upload(coordinator)).status).toBe(202);
  expect((await upload(mayCreateUsers, 'users', rowOf.users)).status).toBe(202);
});

describe('a person who loses access while an import runs and another one waits', () => {
  const assign = (persona: string) => (person: Person, of: Tenant) =>
    world.call(world.global, `POST /api/users/${person.id}/tenants`, { tenantId: of.id, persona });
  const cases: [string, string, (person: Person, of: Tenant) => Promise<{ status: number }>][] = [
    ['the membership', 'TENANT_NOT_ALLOWED', ({ id }, of) => world.call(world.global, `DELETE /api/users/${id}/tenants/${of.id}`)],
    ['the persona', 'NOT_ALLOWED', assign('viewer')],
    // A coordinator may still create addresses, and import nothing.
    ['the permission to import', 'NOT_ALLOWED', assign('coordinator')],
    ['the user', 'USER_NOT_PROVISIONED', ({ id }) => world.call(world.global, `DELETE /api/users/${id}`)],
    ['the active tenant', 'TENANT_NOT_ALLOWED', (_, of) => world.call(world.global, `PUT /api/tenants/${of.id}`, { active: false })],
  ];

  // Rules: IMPORTS-4
  test.each(cases)('%s: both imports fail with %s, rows that are done stay, and the person reads no results', async (_, code, lose) => {
    const own = await world.tenant();
    const person = await world.person({ [own.id]: 'tenant-admin' });
    const { id: organizationId } = await organizationOf(world, own);
    // One more than the rows of a transaction.
    const taxIds = Array.from({ length: 61 }, () => world.newTaxId());
    const hold = await holdOrganization(world, taxIds[0] ?? '');
    const running = (await upload(person, 'organizations', csvOf(taxIds.map((taxId) => organizationRow(taxId))))).body;
    const queued = (await upload(person, 'organizationAddresses', csvOf([{ organizationId, ...addressCells() }]))).body;
    await hold.reached();
    expect((await lose(person, own)).status).toBeLessThan(300);
    await hold.release();
    const { processed, ...ended } = await importEnd(world, world.global, running.id);
    expect(ended).toMatchObject({ status: 'FAILED', code, rows: 61, created: processed });
    expect(processed).toBeGreaterThan(0);
    expect(await importEnd(world, world.global, queued.id)).toMatchObject({ status: 'FAILED', code, processed: 0 });
    for (const target of requestsOf(running.id).slice(0, 2)) expect((await world.call(person, target)).status).toBe(403);
    const found = await world.sql('select federal_tax_id as id from organizations where federal_tax_id = any($1) order by 1', [taxIds]);
    expect(found).toEqual(taxIds.slice(0, processed).map((id) => ({ id })));
  });

  // Rules: IMPORTS-4
  test('the type Global: imports without tenant do not continue in the only tenant that is left', async () => {
    const own = await world.tenant();
    const person = await world.person({ [own.id]: 'tenant-admin' }, { type: 'Global' });
    const held = world.newTaxId();
    const hold = await holdOrganization(world, held);
    const first = (await upload(world.global, 'organizations', csvOf([organizationRow(held)]))).body;
    const { body } = await upload(person);
    await hold.reached();
    await world.call(world.global, `PUT /api/users/${person.id}`, { type: 'Technician' });
    await hold.release();
    await importEnd(world, world.global, first.id);
    const ended = await importEnd(world, world.global, body.id);
    expect(ended).toMatchObject({ status: 'FAILED', code: 'TENANT_NOT_ALLOWED', processed: 0, tenantId: null });
  });
});
