import { randomUUID } from 'node:crypto';
import { eventually } from '../../../../test/eventually.ts';
import { createTenant, createUser } from '../../test/keycloak/support/logins.ts';
import { clientCredentials, globalUser, passwordGrant } from '../../test/keycloak/support/tokens.ts';
import { requestOf, sendTo } from '../../test/support/call.ts';
import { cpf } from '../../test/support/cpf.ts';
import type { Call } from '../../test/support/people.ts';
import type { FaultyIdentity } from './identity.ts';

/** The callers of the load. */
export type People = Awaited<ReturnType<typeof createPeople>>;

const clientId = 'portal-app';
let counter = 0;

/** Creates the people of the suite through the API of an instance, and their identities in Keycloak. */
export async function createPeople(url: string, { realm }: FaultyIdentity) {
  const call: Call = (actor, target, body) => sendTo(url, target, requestOf(actor, body));
  const global = { token: await passwordGrant(realm.url, globalUser) };
  const newPerson = () => {
    counter += 1;
    const email = `p-${randomUUID()}@example.com`;
    return { name: `Person ${counter}`, email, federalTaxId: cpf(300_000_000 + counter), type: 'Technician' } as const;
  };
  const world = { realm, call, global, newPerson };
  // The service creates the Global user after its start.
  const id = await eventually(() => createTenant(world, clientId));
  const [admin, member] = [await createUser(world), await createUser(world)];
  await call(global, `POST /api/users/${admin.id}/tenants`, { tenantId: id, persona: 'tenant-admin' });
  const tokens = {
    admin: await passwordGrant(realm.url, admin),
    application: await clientCredentials(realm.url, clientId),
    member: { id: member.id, token: await passwordGrant(realm.url, member) },
  };
  const newTaxId = () => String(20_000_000_000_000 + (counter += 1));
  // The token of a Global user. The tenant has the tokens of a tenant-admin and of its application, and a member whose rights a writer changes.
  return { global: global.token, tenant: { id, ...tokens }, newPerson: (): object => newPerson(), newTaxId };
}
