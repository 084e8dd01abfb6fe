import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CheckedClient } from '../checked-client.ts';
import { emptyModel, type Model } from '../../test/oracle/model.ts';
import { newFile } from '../endpoints/attachments.ts';
import { next } from '../endpoints/draws.ts';
import { type DrivenEndpoint, drivenEndpoints } from '../endpoints/index.ts';
import type { Counters } from '../counters.ts';
import { rest } from '../http.ts';
import { application, caller, type Caller } from './callers.ts';
import { clientOf, type Plan } from './plan.ts';
import { fillModel } from './records.ts';
import type { Environment } from './environment.ts';
import { store } from './store.ts';

/** The model of the database's content, a client that checks responses against it, and all callers. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

const endpoints = new Map(drivenEndpoints().map((endpoint) => [endpoint.name, endpoint]));

/** The endpoint with this name. Throws if there is none. */
export function endpointNamed(name: string): DrivenEndpoint {
  const endpoint = endpoints.get(name);
  if (!endpoint) throw new Error(`The contract has no endpoint ${name}`);
  return endpoint;
}

/** Replaces the previous world by that of the plan. */
export async function makeWorld(environment: Environment, plan: Plan, counters: Counters) {
  const model = emptyModel();
  fillModel(model, plan, environment.identities);
  await store(environment.sql, model);
  // A Global user without tenants, who sees everything.
  const [root, ...people] = await callersOf(environment, plan);
  if (!root) throw new Error('The world has no root user');
  /** The audit log still has the entries of earlier worlds. */
  const startedAt = new Date().toISOString();
  await invalidateCallers(environment, model, root);
  const { port, sql, database, runImports } = environment;
  const client = new CheckedClient(port, model, counters);
  const world = { model, client, port, sql, database, runImports, startedAt, root, callers: [root, ...people], counters };
  await addAttachments(world, plan);
  return world;
}

/** Removes the callers of the previous world from the cache of the service. Returns when it has received the notification. */
async function invalidateCallers({ port, sql }: Environment, { users }: Model, root: Caller): Promise<void> {
  const user = [...users.values()].find(({ idIdentity }) => idIdentity === root.token?.sub);
  if (!user) throw new Error('The model has no root user');
  const call = async (endpoint: string, input = {}) =>
    (await rest(port, { endpoint: endpointNamed(endpoint), caller: root, header: undefined, input })).body as { name: string };
  const rename = (to: string) => sql('update users set name = $2 where id = $1', [user.id, to]);
  // The service caches the root user, if it has not yet.
  await call('me.permissions');
  await rename('Renamed');
  await sql("select pg_notify('profile_caller_invalidation', $1)", [JSON.stringify({ all: true })]);
  while ((await call('me.permissions')).name !== 'Renamed') await pause(1);
  await rename(user.name);
  await call('users.update', { id: user.id });
}

async function callersOf({ sign, identities, strangers }: Environment, { tenants, people }: Plan): Promise<Caller[]> {
  const tokens = [[{}], ...people.map((person) => person.tokens)];
  const clients = tenants.map((_, place) => clientOf(place));
  const [first = '', second = ''] = clients;
  const shared = { sub: randomUUID() };
  return Promise.all([
    ...tokens.flatMap((each, place) => each.map((traits) => caller(sign, `person ${place}`, identities[place]?.sub ?? '', traits))),
    ...clients.map((client) => application(sign, client)),
    // One subject with tokens of two clients, a login at a tenant's client, and a user with a client's token.
    application(sign, first, shared),
    application(sign, second, shared),
    application(sign, first, { traits: { hasSession: true } }),
    caller(sign, 'person 1', identities[1]?.sub ?? '', { azp: first, hasSession: false }),
  ]).then((known) => [...known, ...strangers]);
}

/** Uploads the plan's files as the root user, then sets the uploaders and tenants that the plan names. */
async function addAttachments({ model, client, sql, root }: World, plan: Plan): Promise<void> {
  const [tenantIds, userIds] = [[...model.tenants.keys()], [...model.users.keys()]];
  const living = plan.organizations.filter(({ deleted }) => !deleted);
  const uploads = [...model.organizations.keys()].flatMap((id, place) => (living[place]?.attachments ?? []).map((by) => ({ ...by, id })));
  for (const { id: entityId, person, tenant } of uploads) {
    // Some files belong to no organization, only to the tenant and the user.
    const input = { file: newFile(), filename: `m${next()}x.pdf`, ...(person % 2 === 0 ? { entityId } : {}) };
    await client.send({ endpoint: endpointNamed('attachments.create'), caller: root, header: undefined, input }, 'rest');
    const attachment = [...model.attachments.values()].at(-1);
    if (!attachment) return;
    attachment.userId = userIds[person] ?? attachment.userId;
    attachment.tenantId = tenantIds[tenant] ?? null;
    const { id, userId, tenantId } = attachment;
    await sql('update attachments set user_id = $2, tenant_id = $3 where id = $1', [id, userId, tenantId]);
  }
}
