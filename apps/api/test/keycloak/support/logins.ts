import { randomUUID } from 'node:crypto';
import type { User } from '../../support/records.ts';
import type { KeycloakWorld } from './keycloak-world.ts';
import type { Login } from './tokens.ts';

const password = 'a long enough password';

/** A service with a realm of a real Keycloak. */
type Installation = Pick<KeycloakWorld, 'realm' | 'call' | 'global' | 'newPerson'>;

export interface TestUser extends Login {
  /** The user's id in the service. */
  id: string;
  /** The user's id in Keycloak. */
  subject: string;
}

/** Creates an identity with a password in Keycloak, as an administrator does. */
export async function createIdentity({ realm }: Pick<Installation, 'realm'>): Promise<Login & { subject: string }> {
  const email = `i-${randomUUID()}@example.com`;
  const credentials = [{ type: 'password', value: password, temporary: false }];
  const user = { username: email, email, firstName: 'Ana', lastName: 'Souza', enabled: true, emailVerified: true, credentials };
  const { id: subject } = await realm.admin.users.create(user);
  return { email, password, subject };
}

/** Creates a user of the service who has an identity with a password. */
export async function createUser(world: Installation, fields: Record<string, unknown> = {}): Promise<TestUser> {
  const { email, subject } = await createIdentity(world);
  const { status, body } = await world.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields, email });
  if (status !== 201) throw new Error(`POST /api/users answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.id, subject, email, password };
}

/** Gives a user of Keycloak a realm role. */
export async function addRealmRole({ realm }: Installation, subject: string, name: string): Promise<void> {
  const role = await realm.admin.roles.findOneByName({ name });
  await realm.admin.users.addRealmRoleMappings({ id: subject, roles: [{ id: role?.id ?? '', name }] });
}

/** Gives a user of Keycloak a client role of profile-service: an exception role. */
export async function addExceptionRole({ realm }: Installation, subject: string, roleName: string): Promise<void> {
  const [client] = await realm.admin.clients.find({ clientId: 'profile-service' });
  const clientUniqueId = client?.id ?? '';
  const role = await realm.admin.clients.findRole({ id: clientUniqueId, roleName });
  await realm.admin.users.addClientRoleMappings({ id: subject, clientUniqueId, roles: [{ id: role?.id ?? '', name: roleName }] });
}

/** Creates a tenant, linked to this client. Returns its id. */
export async function createTenant({ call, global }: Installation, identityClientId: string): Promise<string> {
  async function create(target: string, fields: object): Promise<string> {
    const { status, body } = await call<{ id: string }>(global, target, { name: identityClientId, ...fields });
    if (status !== 201) throw new Error(`${target} answered ${status}: ${JSON.stringify(body)}`);
    return body.id;
  }
  const customerId = await create('POST /api/customers', { federalTaxId: String(Date.now()).padStart(14, '1') });
  const appId = await create('POST /api/apps', {});
  return create('POST /api/tenants', { customerId, appId, identityClientId });
}
