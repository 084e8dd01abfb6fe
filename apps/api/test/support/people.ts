import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Persona, UserType } from '@profile-service/contracts';
import { type Actor, type ApiResponse, untilAvailable } from './call.ts';
import { cpf } from './cpf.ts';

interface TokenOptions {
  sub?: string;
  azp?: string;
  /** Realm roles. */
  roles?: string[];
  claims?: Record<string, unknown>;
}

export interface Person extends Actor {
  token: string;
  id: string;
  subject: string;
  email: string;
  federalTaxId: string;
}

export interface Tenant {
  id: string;
  customerId: string;
  appId: string;
  clientId: string;
  /** The tenant's application, with a token of its own. */
  service: { token: string };
}

/** Signs claims as the identity provider does. */
export type Sign = (claims: Record<string, unknown>) => Promise<string>;
/** Sends a request. @param target method and path */
export type Call = <Body>(actor: Actor, target: string, body?: unknown) => Promise<ApiResponse<Body>>;

export type People = Awaited<ReturnType<typeof createPeople>>;

let counter = 0;
const newTaxId = (): string => String(10_000_000_000_000 + (counter += 1));

/** Data of a new person. */
function newPerson(): { name: string; email: string; federalTaxId: string; type: UserType } {
  counter += 1;
  const [name, email] = [`Person ${counter}`, `person-${counter}@example.com`];
  return { name, email, federalTaxId: cpf(100_000_000 + counter), type: 'Technician' };
}

/** Waits for the Global user whom the service creates at its start. On a busy machine the first attempt can time out; the next one follows after 10 seconds. */
async function waitForGlobalUser(call: Call, global: Actor): Promise<void> {
  for (const startedAt = performance.now(); ; await pause(250)) {
    const { status } = await call(global, 'GET /api/me/permissions');
    if (status === 200) return;
    if (performance.now() - startedAt > 60_000) throw new Error(`The service has no Global user: ${status}`);
  }
}

/** Creates people and tenants through the API. @param globalSubject identity of the first Global user */
export async function createPeople(call: Call, sign: Sign, globalSubject: string) {
  /** A user's access token with these claims, signed by the identity provider. */
  const tokenOf = ({ sub = randomUUID(), azp = 'web', roles = [], claims = {} }: TokenOptions = {}): Promise<string> =>
    sign({ sub, azp, sid: randomUUID(), ...(roles.length > 0 ? { realm_access: { roles } } : {}), ...claims });

  /** An access token of an application's service account. */
  const serviceToken = (clientId: string, claims: Record<string, unknown> = {}): Promise<string> =>
    sign({ sub: randomUUID(), azp: clientId, client_id: clientId, ...claims });

  const global: Actor = { token: await tokenOf({ sub: globalSubject }) };
  await waitForGlobalUser(call, global);

  /** Creates a record as the Global user. Throws unless the response is 201. */
  const create = async <Made>(target: string, body: unknown): Promise<Made> => {
    const { status, body: made } = await untilAvailable(() => call<Made>(global, target, body));
    if (status !== 201) throw new Error(`${target} answered ${status}: ${JSON.stringify(made)}`);
    return made;
  };
  const createId = async (target: string, body: unknown) => (await create<{ id: string }>(target, body)).id;

  type PersonOptions = TokenOptions & { type?: UserType; customerId?: string };
  /** A user with memberships (tenant id → persona) and a token. */
  const person = async (
    memberships: Record<string, Persona> = {},
    { type, customerId, ...options }: PersonOptions = {},
  ): Promise<Person> => {
    const data = { ...newPerson(), ...(type ? { type } : {}), ...(customerId ? { customerId } : {}) };
    const { id, idIdentity: subject } = await create<{ id: string; idIdentity: string }>('POST /api/users', data);
    for (const [tenantId, persona] of Object.entries(memberships)) await create(`POST /api/users/${id}/tenants`, { tenantId, persona });
    return { id, subject, token: await tokenOf({ sub: subject, ...options }), email: data.email, federalTaxId: data.federalTaxId };
  };

  /** A tenant with its own customer, app and client. */
  const tenant = async ({ active = true, ...given }: { active?: boolean; customerId?: string; appId?: string } = {}): Promise<Tenant> => {
    const clientId = `client-${(counter += 1)}`;
    const customerId = given.customerId ?? (await createId('POST /api/customers', { federalTaxId: newTaxId(), name: clientId }));
    const appId = given.appId ?? (await createId('POST /api/apps', { name: clientId }));
    const id = await createId('POST /api/tenants', { customerId, appId, name: clientId, active, identityClientId: clientId });
    return { id, customerId, appId, clientId, service: { token: await serviceToken(clientId) } };
  };

  return { global, tokenOf, serviceToken, newPerson, newTaxId, create, person, tenant };
}
