import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { cpf } from '../../test/support/cpf.ts';
import { send } from '../../test/support/http.ts';
import { clientCredentials, globalUser, passwordGrant } from '../../test/keycloak/support/tokens.ts';
import type { FaultyIdentity } from './identity.ts';

/** A tenant with its members and its application. */
export interface FaultsTenant {
  id: string;
  /** Token of a tenant-admin. */
  admin: string;
  /** Token of the tenant's application. */
  application: string;
  /** A member whose rights a writer changes. */
  member: { id: string; token: string };
}

export interface People {
  /** Token of the Global user. */
  global: string;
  tenant: FaultsTenant;
  /** Returns the token of a new Global user. Each has idempotency keys of its own. */
  newGlobal(): Promise<string>;
  /** Returns data of a new person. */
  newPerson(): { name: string; email: string; federalTaxId: string; type: string };
  newTaxId(): string;
}

const password = `P-${randomBytes(12).toString('hex')}`;
const clientId = 'portal-app';

/** Creates the people of the suite through the API of an instance, and their identities in Keycloak. */
export async function createPeople(url: string, { realm }: FaultyIdentity): Promise<People> {
  let counter = 0;
  const newPerson = (type = 'Technician') => {
    counter += 1;
    return { name: `Person ${counter}`, email: `p-${randomUUID()}@example.com`, federalTaxId: cpf(300_000_000 + counter), type };
  };
  const newTaxId = () => String(20_000_000_000_000 + (counter += 1));
  const global = await passwordGrant(realm.url, globalUser);

  async function create<Made extends { id: string }>(path: string, body: object): Promise<Made> {
    const headers = { authorization: `Bearer ${global}`, 'content-type': 'application/json' };
    // The service creates the Global user after its start.
    for (let attempts = 0; ; attempts += 1) {
      const { status, bytes } = await send(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (status === 201) return JSON.parse(bytes.toString()) as Made;
      if (attempts === 100) throw new Error(`POST ${path}: ${status} ${bytes.toString()}`);
      await pause(200);
    }
  }
  async function login(type: string): Promise<{ id: string; token: string }> {
    const person = newPerson(type);
    const credentials = [{ type: 'password', value: password, temporary: false }];
    const { email } = person;
    await realm.admin.users.create({
      username: email,
      email,
      firstName: 'Person',
      lastName: 'Faults',
      enabled: true,
      emailVerified: true,
      credentials,
    });
    const { id } = await create('/api/users', person);
    return { id, token: await passwordGrant(realm.url, { email, password }) };
  }

  const customer = await create('/api/customers', { name: 'Faults', federalTaxId: newTaxId() });
  const app = await create('/api/apps', { name: 'Faults' });
  const tenant = { customerId: customer.id, appId: app.id, name: 'Faults', identityClientId: clientId };
  const { id: tenantId } = await create('/api/tenants', tenant);
  const [admin, member] = [await login('Technician'), await login('Technician')];
  await create(`/api/users/${admin.id}/tenants`, { tenantId, persona: 'tenant-admin' });
  return {
    global,
    tenant: { id: tenantId, admin: admin.token, application: await clientCredentials(realm.url, clientId), member },
    newGlobal: async () => (await login('Global')).token,
    newPerson,
    newTaxId,
  };
}
