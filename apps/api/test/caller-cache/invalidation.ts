import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Actor, Api } from '../support/api.ts';
import type { Person, Tenant } from '../support/people.ts';
import type { World } from '../support/world.ts';

/** A change of a caller's permissions, and how to see it at an instance. */
export interface Change {
  /** The body of the response, or the code of a problem. */
  look(api: Api): Promise<unknown>;
  before: unknown;
  after: unknown;
  /** Makes the change at an instance. */
  make(api: Api): Promise<unknown>;
}

const seen = (actor: Actor, target: string) => async (api: Api) => {
  const { code, body } = await api.call(actor, target);
  return code ?? body;
};
const permissions = (actor: Actor) => seen(actor, 'GET /api/me/permissions');
const record = (actor: Actor, { id }: Tenant) => seen(actor, `GET /api/tenants/${id}`);
const asApplication = (actor: Actor) => seen(actor, 'GET /service/cooperatives');
const like = (fields: object): unknown => expect.objectContaining(fields);
const served = like({ caller: expect.any(String) });

/** Every kind of change that an endpoint can make, each with its own users and tenants. */
export const changes = {
  'a user becomes Global': (world) => ofUser(world, { type: 'Global' }, like({ type: 'Technician' }), like({ type: 'Global' })),

  'a user has another name': (world) =>
    ofUser(world, { name: 'Another Name' }, like({ type: 'Technician' }), like({ name: 'Another Name' })),

  'a Global user is one no longer': async (world) => {
    const person = await world.person({}, { type: 'Global' });
    const make = put(world, `/api/users/${person.id}`, { type: 'Admin' });
    return { look: seen(person, 'GET /api/customers'), before: like({ currentPage: 1 }), after: 'ACTIVE_TENANT_REQUIRED', make };
  },

  'a user is deleted': async (world) => {
    const person = await world.person();
    return {
      look: permissions(person),
      before: like({ userId: person.id }),
      after: 'USER_NOT_PROVISIONED',
      make: remove(world, `/api/users/${person.id}`),
    };
  },

  'a deleted user is created again': async (world) => {
    const person = await world.person();
    await remove(world, `/api/users/${person.id}`)(world);
    return { look: permissions(person), before: 'USER_NOT_PROVISIONED', after: like({ type: 'Admin' }), make: createAgain(world, person) };
  },

  'an application’s subject becomes a user': async (world) => {
    const [person, { clientId }] = [await world.person(), await world.tenant()];
    await remove(world, `/api/users/${person.id}`)(world);
    const application = { token: await world.serviceToken(clientId, { sub: person.subject }) };
    return { look: asApplication(application), before: served, after: 'CLIENT_NOT_LINKED', make: createAgain(world, person) };
  },

  'a persona is changed': (world) =>
    ofMember(world, like({ persona: 'coordinator' }), (person, tenant) => assign(world, person, tenant, 'coordinator')),

  'an application changes a persona': (world) =>
    ofMember(world, like({ persona: 'coordinator' }), ({ email, federalTaxId }, { service }) => {
      const body = { name: 'A Person', email, federalTaxId, type: 'Technician', persona: 'coordinator' };
      return (api) => api.call(service, 'POST /service/users', body);
    }),

  'a membership is removed': (world) =>
    ofMember(world, like({ tenantId: null, persona: null }), (person, tenant) =>
      remove(world, `/api/users/${person.id}/tenants/${tenant.id}`),
    ),

  'a second membership is added': (world) =>
    ofMember(world, like({ tenantId: null, persona: null }), (person, _tenant, second) => assign(world, person, second, 'viewer')),

  'a first membership is added': async (world) => {
    const [person, tenant] = [await world.person(), await world.tenant()];
    return {
      look: record(person, tenant),
      before: 'ACTIVE_TENANT_REQUIRED',
      after: like({ id: tenant.id }),
      make: assign(world, person, tenant, 'viewer'),
    };
  },

  'a membership in the tenant of the header is added': async (world) => {
    const [one, two] = [await world.tenant(), await world.tenant()];
    const person = await world.person({ [one.id]: 'viewer' });
    const look = record({ ...person, tenant: two.id }, two);
    return { look, before: 'TENANT_NOT_ALLOWED', after: like({ id: two.id }), make: assign(world, person, two, 'viewer') };
  },

  'the tenant of a member is switched off': (world) =>
    ofMember(world, like({ tenantId: null }), (_person, { id }) => put(world, `/api/tenants/${id}`, { active: false })),

  'the tenant of a member is deleted': (world) =>
    ofMember(world, like({ tenantId: null }), (_person, { id }) => remove(world, `/api/tenants/${id}`)),

  'the tenant of an application is switched off': (world) =>
    ofApplication(world, 'CLIENT_NOT_LINKED', ({ id }) => put(world, `/api/tenants/${id}`, { active: false })),

  'the tenant of an application is deleted': (world) =>
    ofApplication(world, 'CLIENT_NOT_LINKED', ({ id }) => remove(world, `/api/tenants/${id}`)),

  'a tenant gets another client, for the old one': (world) =>
    ofApplication(world, 'CLIENT_NOT_LINKED', ({ id }) => put(world, `/api/tenants/${id}`, { identityClientId: randomUUID() })),

  'a tenant gets another client, for the new one': async (world) => {
    const [tenant, clientId] = [await world.tenant(), randomUUID()];
    const look = asApplication({ token: await world.serviceToken(clientId) });
    return {
      look,
      before: 'CLIENT_NOT_LINKED',
      after: served,
      make: put(world, `/api/tenants/${tenant.id}`, { identityClientId: clientId }),
    };
  },
} satisfies Record<string, (world: World) => Promise<Change>>;

type Make = Change['make'];

async function ofUser(world: World, fields: object, before: unknown, after: unknown): Promise<Change> {
  const person = await world.person();
  return { look: permissions(person), before, after, make: put(world, `/api/users/${person.id}`, fields) };
}

async function ofMember(world: World, after: unknown, change: (person: Person, tenant: Tenant, second: Tenant) => Make): Promise<Change> {
  const [tenant, second] = [await world.tenant(), await world.tenant()];
  const person = await world.person({ [tenant.id]: 'viewer' });
  return {
    look: permissions(person),
    before: like({ tenantId: tenant.id, persona: 'viewer' }),
    after,
    make: change(person, tenant, second),
  };
}

async function ofApplication(world: World, after: unknown, change: (tenant: Tenant) => Make): Promise<Change> {
  const tenant = await world.tenant();
  return { look: asApplication(tenant.service), before: served, after, make: change(tenant) };
}

const put =
  ({ global }: World, path: string, body: object): Make =>
  (api) =>
    api.call(global, `PUT ${path}`, body);
const remove =
  ({ global }: World, path: string): Make =>
  (api) =>
    api.call(global, `DELETE ${path}`);
const assign =
  ({ global }: World, person: Person, tenant: Tenant, persona: string): Make =>
  (api) =>
    api.call(global, `POST /api/users/${person.id}/tenants`, { tenantId: tenant.id, persona });
const createAgain =
  ({ global }: World, { email, federalTaxId }: Person): Make =>
  (api) =>
    api.call(global, 'POST /api/users', { name: 'A Person', email, federalTaxId, type: 'Admin' });
