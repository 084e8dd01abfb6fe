import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Persona, UserType } from '@profile-service/contracts';
import { type Actor, type ApiResponse, untilAvailable } from './call.ts';
import { cpf } from './cpf.ts';

export interface TokenOptions {
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

export interface People {
  /** The Global user that the start of the service creates. */
  global: Actor;
  /** A user's access token with these claims, signed by the identity provider. */
  tokenOf(options?: TokenOptions): Promise<string>;
  /** An access token of an application's service account. */
  serviceToken(clientId: string, claims?: Record<string, unknown>): Promise<string>;
  /** Data of a new person. */
  newPerson(): { name: string; email: string; federalTaxId: string; type: UserType };
  /** A user with memberships (tenant id → persona) and a token. */
  person(memberships?: Record<string, Persona>, options?: TokenOptions & { type?: UserType; customerId?: string }): Promise<Person>;
  /** A tenant with its own customer, app and client. */
  tenant(options?: { active?: boolean; customerId?: string; appId?: string }): Promise<Tenant>;
  newTaxId(): string;
  /** Creates a record as the Global user. Throws unless the response is 201. */
  create<Made>(target: string, body: unknown): Promise<Made>;
}

/** Signs claims as the identity provider does. */
export type Sign = (claims: Record<string, unknown>) => Promise<string>;
/** Sends a request. @param target method and path */
export type Call = <Body>(actor: Actor, target: string, body?: unknown) => Promise<ApiResponse<Body>>;

const longestStartMs = 60_000;
let counter = 0;

/** Creates people and tenants through the API. @param globalSubject identity of the first Global user */
export async function createPeople(call: Call, sign: Sign, globalSubject: string): Promise<People> {
  const tokenOf: People['tokenOf'] = ({ sub = randomUUID(), azp = 'web', roles = [], claims = {} } = {}) =>
    sign({ sub, azp, sid: randomUUID(), ...(roles.length > 0 ? { realm_access: { roles } } : {}), ...claims });
  const serviceToken: People['serviceToken'] = (clientId, claims = {}) =>
    sign({ sub: randomUUID(), azp: clientId, client_id: clientId, ...claims });
  const global = { token: await tokenOf({ sub: globalSubject }) };
  // The service creates the Global user at its start. On a busy machine the first attempt can time out; the next one follows after 10 seconds.
  for (const startedAt = performance.now(); ;) {
    const { status } = await call(global, 'GET /api/me/permissions');
    if (status === 200) break;
    if (performance.now() - startedAt > longestStartMs) throw new Error(`The service has no Global user: ${status}`);
    await pause(250);
  }

  const create: People['create'] = async <Made>(target: string, body: unknown): Promise<Made> => {
    const { status, body: made } = await untilAvailable(() => call<Made>(global, target, body));
    if (status !== 201) throw new Error(`${target} answered ${status}: ${JSON.stringify(made)}`);
    return made;
  };
  const newPerson: People['newPerson'] = () => {
    counter += 1;
    return {
      name: `Person ${counter}`,
      email: `person-${counter}@example.com`,
      federalTaxId: cpf(100_000_000 + counter),
      type: 'Technician',
    };
  };
  const newTaxId = () => String(10_000_000_000_000 + (counter += 1));

  return {
    global,
    tokenOf,
    serviceToken,
    newPerson,
    newTaxId,
    create,

    async person(memberships = {}, { type, customerId, ...options } = {}) {
      const data = { ...newPerson(), ...(type ? { type } : {}), ...(customerId ? { customerId } : {}) };
      const user = await create<{ id: string; idIdentity: string }>('POST /api/users', data);
      for (const [tenantId, persona] of Object.entries(memberships))
        await create(`POST /api/users/${user.id}/tenants`, { tenantId, persona });
      const token = await tokenOf({ sub: user.idIdentity, ...options });
      return { id: user.id, subject: user.idIdentity, token, email: data.email, federalTaxId: data.federalTaxId };
    },

    async tenant({ active = true, ...given } = {}) {
      const clientId = `client-${(counter += 1)}`;
      const customerId =
        given.customerId ?? (await create<{ id: string }>('POST /api/customers', { federalTaxId: newTaxId(), name: clientId })).id;
      const appId = given.appId ?? (await create<{ id: string }>('POST /api/apps', { name: clientId })).id;
      const body = { customerId, appId, name: clientId, active, identityClientId: clientId };
      const { id } = await create<{ id: string }>('POST /api/tenants', body);
      return { id, customerId, appId, clientId, service: { token: await serviceToken(clientId) } };
    },
  };
}
