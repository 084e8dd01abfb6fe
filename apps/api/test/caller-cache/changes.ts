import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Actor } from '../support/api.ts';
import type { Person, Tenant } from '../support/people.ts';
import type { World } from '../support/world.ts';

/** The arguments of `Api.call`. */
type Request = [actor: Actor, target: string, body?: object];

/** A request whose response shows what a caller may do: its body, or the code of a problem, before and after a change. */
export type Change = [read: Request, before: unknown, after: unknown, change: Request];

const permissionsOf = (actor: Actor): Request => [actor, 'GET /api/me/permissions'];
const readAsApplication = (token: string): Request => [{ token }, 'GET /service/cooperatives'];
const like = (fields: object): unknown => expect.objectContaining(fields);
const served = like({ caller: expect.any(String) });

const createAgain = ({ global }: World, { email, federalTaxId }: Person): Request => [
  global,
  'POST /api/users',
  { name: 'A Person', email, federalTaxId, type: 'Admin' },
];
const assign = ({ global }: World, { id }: Person, tenant: Tenant, persona: string): Request => [
  global,
  `POST /api/users/${id}/tenants`,
  { tenantId: tenant.id, persona },
];
const updateTenant = ({ global }: World, { id }: Tenant, body: object): Request => [global, `PUT /api/tenants/${id}`, body];

/** A change of a viewer of one tenant, who reads their permissions. */
const ofMember =
  (after: unknown, change: (world: World, person: Person, tenant: Tenant) => Request | Promise<Request>) =>
  async (world: World): Promise<Change> => {
    const tenant = await world.tenant();
    const person = await world.person({ [tenant.id]: 'viewer' });
    const before = like({ tenantId: tenant.id, persona: 'viewer' });
    return [permissionsOf(person), before, after, await change(world, person, tenant)];
  };
async function deletedPerson(world: World): Promise<Person> {
  const person = await world.person();
  await world.call(world.global, `DELETE /api/users/${person.id}`);
  return person;
}

/** Changes of callers that the endpoints can make, each with its own users and tenants. The isolation test and the tests of notifications make all others. */
export const changes: Record<string, (world: World) => Promise<Change>> = {
  'a deleted user is created again': async (world) => {
    const person = await deletedPerson(world);
    return [permissionsOf(person), 'USER_NOT_PROVISIONED', like({ type: 'Admin' }), createAgain(world, person)];
  },
  'the subject of an application becomes a user': async (world) => {
    const [person, { clientId }] = [await deletedPerson(world), await world.tenant()];
    const token = await world.serviceToken(clientId, { sub: person.subject });
    return [readAsApplication(token), served, 'CLIENT_NOT_LINKED', createAgain(world, person)];
  },
  'a member gets another persona': ofMember(like({ persona: 'coordinator' }), (world, person, tenant) =>
    assign(world, person, tenant, 'coordinator'),
  ),
  'a member becomes RESTRICTED': ofMember(like({ organizationScope: 'RESTRICTED' }), ({ global }, { id }, tenant) => {
    const body = { scope: 'RESTRICTED', organizationIds: [] };
    return [global, `PUT /api/users/${id}/tenants/${tenant.id}/organizations`, body];
  }),
  'a membership in the tenant of the header is added': async (world) => {
    const [one, two] = [await world.tenant(), await world.tenant()];
    const person = await world.person({ [one.id]: 'viewer' });
    const read: Request = [{ ...person, tenant: two.id }, 'GET /api/states'];
    return [read, 'TENANT_NOT_ALLOWED', like({ currentPage: 1 }), assign(world, person, two, 'viewer')];
  },
  'the tenant of a member is activated': async (world) => {
    const tenant = await world.tenant({ active: false });
    const person = await world.person({ [tenant.id]: 'viewer' });
    const read: Request = [{ ...person, tenant: tenant.id }, 'GET /api/states'];
    return [read, 'TENANT_NOT_ALLOWED', like({ currentPage: 1 }), updateTenant(world, tenant, { active: true })];
  },
  'the tenant of an application is activated': async (world) => {
    const tenant = await world.tenant({ active: false });
    const change = updateTenant(world, tenant, { active: true });
    return [readAsApplication(tenant.service.token), 'CLIENT_NOT_LINKED', served, change];
  },
  'the tenant of an application is deactivated': async (world) => {
    const tenant = await world.tenant();
    return [readAsApplication(tenant.service.token), served, 'CLIENT_NOT_LINKED', updateTenant(world, tenant, { active: false })];
  },
  'a tenant with the client of an application is created': async (world) => {
    const [clientId, { customerId, appId }] = [randomUUID(), await world.tenant()];
    const body = { customerId, appId, name: 'Linked', identityClientId: clientId };
    return [readAsApplication(await world.serviceToken(clientId)), 'CLIENT_NOT_LINKED', served, [world.global, 'POST /api/tenants', body]];
  },
};
