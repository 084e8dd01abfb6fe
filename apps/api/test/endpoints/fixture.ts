import { type Persona, personas } from '@profile-service/contracts';
import { exampleOf, type Input } from '@profile-service/contracts/examples';
import { emptyModel, type Membership, type Model, pair, type Tenant as TenantRecord, type User } from '../oracle/model.ts';
import { claimsOf, type Token } from '../oracle/token.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { insertDelivery } from '../support/deliveries.ts';
import { upload, uploadImport } from '../support/files.ts';
import { linkTo, organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';
import { maxFileBytes, type World } from '../support/world.ts';

/** A world with the map, and with the tenants and the users that the loops over all endpoints need. */
export type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** The fixture of the tests of a file. */
export const useFixture = (): Fixture => duringTests(startFixture, ({ world }) => world.stop());

/** Creates the fixture through the service. */
export async function startFixture() {
  const world = await startWorldWithMap({ IMPORT_MAX_BYTES: String(maxFileBytes) }, { pauseImports: true });
  const [tenant, foreign, inactive] = [await world.tenant(), await world.tenant(), await world.tenant({ active: false })];
  const members = {} as Record<Persona, Person>;
  for (const persona of personas) members[persona] = await world.person({ [tenant.id]: persona });

  /** Has a legacy membership without persona. */
  const withoutPersona = await world.person({ [tenant.id]: 'viewer' });
  const globalWithoutPersona = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
  const legacy = [withoutPersona.id, globalWithoutPersona.id];
  await world.sql('update memberships set persona = null where user_id = any($1)', [legacy]);
  const deleted = await world.person({ [tenant.id]: 'viewer' });
  await world.call(world.global, `DELETE /api/users/${deleted.id}`);
  const inputs = new Map<string, Promise<Input>>();
  const tokens = new Map<string, Promise<string>>();
  const fixture = {
    world,
    ...recordsOf(world, tenant),
    /** The tenant of the users below. */
    tenant,
    foreign,
    inactive,
    /** One member of the tenant for each persona. */
    members,
    globalWithoutPersona,
    /** Global, and viewer of the tenant. */
    globalMember: await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' }),
    ofNoTenant: await world.person(),
    withoutPersona,
    deleted,
    /** Signs a token, once for equal content. */
    sign: (token: Token): Promise<string> => once(tokens, JSON.stringify(token), () => world.sign(claimsOf(token))),
    /** A valid input of the endpoint, created once: for calls that the service refuses, and for calls that can be repeated. */
    sharedInput: (name: string): Promise<Input> => once(inputs, name, async () => exampleOf(name).valid(complete)),
  };
  /** The users, memberships and tenants above, for the oracle. */
  const model = await readModel(world);
  const [firstUser] = model.users.values();
  /** The Global user with whom the service began. */
  const first = { subject: firstUser?.idIdentity ?? '' };
  const complete = { ...fixture, model, first };
  return complete;
}

/** Creates the records of examples. */
export function recordsOf(world: World, { customerId, appId }: Tenant) {
  const uploaders = new Map<string, Promise<Person>>();
  const uploaderOf = ({ id }: { id: string }) => once(uploaders, id, () => world.person({ [id]: 'tenant-admin' }));
  return {
    newPerson: world.newPerson,
    newTaxId: world.newTaxId,
    // Further tenants of the customer and the app.
    newTenant: () => world.tenant({ customerId, appId }),
    person: world.person,
    create: world.create,
    send: (target: string, body?: unknown) => world.call(world.global, target, body),
    organization: (of?: Tenant) => organizationOf(world, of),
    link: (to: Tenant, organizationId: string) => linkTo(world, to, organizationId),
    delivery: (webhookId: string) => insertDelivery(world, { webhookId }),
    importFile: async (of: { id: string }) => (await uploadImport(world, await uploaderOf(of))).body,
    attachment: async (of: { id: string }) => (await upload(world, await uploaderOf(of))).body,
  };
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  // A failed attempt is not kept.
  value.catch(() => known.delete(key));
  return value;
}

/** The oracle's model of the users, memberships and tenants in the database. */
async function readModel({ sql }: World): Promise<Model> {
  const model = emptyModel();
  const users = 'select id, id_identity as "idIdentity", type from users where deleted_at is null order by id';
  for (const user of await sql<User>(users)) model.users.set(user.id, user);
  const tenants = 'select id, active, identity_client_id as "identityClientId" from tenants';
  for (const tenant of await sql<TenantRecord>(tenants)) model.tenants.set(tenant.id, tenant);
  const memberships = 'select user_id as "userId", tenant_id as "tenantId", persona, scope from memberships';
  for (const membership of await sql<Membership>(memberships))
    model.memberships.set(pair(membership.userId, membership.tenantId), { ...membership, grants: new Set() });
  return model;
}
