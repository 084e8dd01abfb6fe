import { curitiba, newOrganization, praca } from '@profile-service/contracts/examples';
import { upload } from '../support/files.ts';
import { linkTo, organizationOf, restrict, startWorldWithMap } from '../support/organizations.ts';

export type Scenario = Awaited<ReturnType<typeof startScenario>>;

/** Two tenants, and changes of all kinds of records by all kinds of actors. */
export async function startScenario() {
  const world = await startWorldWithMap();
  const [tenant, foreign] = [await world.tenant(), await world.tenant()];
  const member = (persona: 'tenant-admin' | 'coordinator' | 'viewer', of = tenant) => world.person({ [of.id]: persona });
  const [admin, viewer, restricted, foreignAdmin, formerMember, deletedMember] = [
    await member('tenant-admin'),
    await member('viewer'),
    await member('viewer'),
    await member('tenant-admin', foreign),
    await member('coordinator'),
    await member('coordinator'),
  ];
  const globalMember = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
  const [{ now: since } = { now: '' }] = await world.sql<{ now: string }>('select iso_timestamp(clock_timestamp()) as now');
  const { call, global, create } = world;
  const inTenant = { ...globalMember, tenant: tenant.id };

  const shared = await organizationOf(world);
  await linkTo(world, tenant, shared.id);
  await linkTo(world, foreign, shared.id);
  const [own, others, unlinked] = [
    await organizationOf(world, tenant),
    await organizationOf(world, foreign),
    await organizationOf(world, tenant),
  ];
  const deleted = (await call<{ id: string }>(admin, 'POST /api/organizations', newOrganization(world))).body;
  await restrict(world, restricted.id, tenant.id, [shared.id]);

  for (const [actor, alias] of [
    [admin, 'A'],
    [foreignAdmin, 'B'],
    [formerMember, 'C'],
    [deletedMember, 'D'],
    [inTenant, 'E'],
    [global, 'F'],
  ] as const) {
    await call(actor, `PUT /api/organizations/${shared.id}`, { alias });
    await call(actor, 'POST /api/organization-contacts', { organizationId: shared.id, type: 'PHONE', value: alias, isPrimary: true });
  }
  await call(foreignAdmin, `PUT /api/organizations/${others.id}`, { alias: 'G' });
  await call(admin, `PUT /api/organizations/${own.id}`, { alias: 'H' });
  await call(tenant.service, `DELETE /service/organizations/${unlinked.id}/tenants`);
  await call(admin, `DELETE /api/organizations/${deleted.id}`);
  for (const entityType of ['DOCUMENT', 'CUSTOMER']) await upload(world, admin, { entityType, entityId: shared.id });
  await upload(world, admin);
  await upload(world, foreignAdmin, { entityId: shared.id });
  const document = (await upload(world, admin, { entityId: shared.id })).body;
  await call(admin, `DELETE /api/attachments/${document.id}`);

  await call(global, `PUT /api/tenants/${tenant.id}`, { metadata: { a: 1 } });
  await call(inTenant, `PUT /api/tenants/${tenant.id}`, { metadata: { a: 2 } });
  await call(inTenant, `PUT /api/tenants/${foreign.id}`, { metadata: { a: 3 } });
  await call(inTenant, `PUT /api/customers/${tenant.customerId}`, { alias: 'I' });
  await call(inTenant, `PUT /api/apps/${tenant.appId}`, { name: world.newTaxId() });
  await create('POST /api/document-types', { name: world.newTaxId() });
  await call(inTenant, 'POST /api/document-types', { name: world.newTaxId() });
  await call(inTenant, `PUT /api/users/${viewer.id}`, { jobTitle: 'J' });
  await call(tenant.service, 'POST /service/users', { ...world.newPerson(), persona: 'technician' });
  await call(global, `DELETE /api/users/${formerMember.id}/tenants/${tenant.id}`);
  await call(global, `DELETE /api/users/${deletedMember.id}`);

  // Changes of shared records, by members of the tenant with roles.
  const keeper = await world.person({ [tenant.id]: 'viewer' }, { roles: ['cities:update', 'users:delete', 'tenants:delete'] });
  const city = 4106902;
  for (const organizationId of [shared.id, own.id, others.id, unlinked.id])
    await call(global, 'POST /api/organization-addresses', { organizationId, ...praca, ...curitiba });
  const removed = (
    await call<{ id: string }>(foreignAdmin, 'POST /api/organization-addresses', { organizationId: others.id, ...praca, ...curitiba })
  ).body;
  await call(keeper, `PUT /api/cities/${city}`, { stateCode: 35 });
  await call(foreignAdmin, `DELETE /api/organization-addresses/${removed.id}`);
  const inBoth = await world.person({ [tenant.id]: 'viewer', [foreign.id]: 'viewer' });
  await call(keeper, `DELETE /api/users/${inBoth.id}`);
  const moved = (await upload(world, foreignAdmin, { entityId: others.id })).body;
  await call(foreignAdmin, `PUT /api/attachments/${moved.id}`, { entityId: shared.id });
  const made = (await call<{ id: string }>(foreign.service, 'POST /service/organizations', newOrganization(world))).body;
  await linkTo(world, tenant, made.id);
  await call(keeper, `PUT /api/cities/${city}`, { stateCode: 41 });

  await call(viewer, `PUT /api/organizations/${own.id}`, { alias: 'K' });
  await call(foreignAdmin, `GET /api/organizations?organizationId=${own.id}`);
  await call(tenant.service, `GET /service/organizations?organizationId=${others.id}`);
  await call({ ...viewer, tenant: foreign.id }, 'GET /api/states');
  await call(admin, `GET /api/users/${viewer.id}`);
  await call(admin, `PUT /api/tenants/${foreign.id}`, {});
  await call(viewer, 'GET /api/cooperatives');
  return {
    world,
    /** When the changes began. */
    since,
    tenant,
    foreign,
    admin,
    viewer,
    /** Has a RESTRICTED scope with the organization `shared`. */
    restricted,
    foreignAdmin,
    /** Global, and a member of the tenant. */
    globalMember,
    /** Acted in the tenant, and is no longer a member. */
    formerMember,
    /** Acted in the tenant, and is deleted. */
    deletedMember,
    /** Linked to both tenants. */
    shared: shared.id,
    /** Linked to the other tenant. */
    others: others.id,
    /** Deleted in the tenant. */
    deleted: deleted.id,
    /** Was linked to the tenant. */
    unlinked: unlinked.id,
  };
}
