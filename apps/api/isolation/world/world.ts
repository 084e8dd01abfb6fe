import { randomUUID } from 'node:crypto';
import { Examiner } from '../examiner.ts';
import { emptyModel, type Model } from '../model.ts';
import { newFile } from '../endpoints/attachments.ts';
import { next } from '../endpoints/draws.ts';
import { type DrivenEndpoint, drivenEndpoints } from '../endpoints/index.ts';
import type { Tally } from '../tally.ts';
import { application, caller, type Caller } from './callers.ts';
import { clientOf, type Plan } from './plan.ts';
import { plant } from './records.ts';
import type { Stage } from './stage.ts';
import { store } from './store.ts';

/** A store, what should be in it, and all who ask. */
export interface World {
  model: Model;
  examiner: Examiner;
  port: number;
  sql: Stage['sql'];
  /** A Global user without tenants, who sees all. */
  root: Caller;
  /** With the root. */
  callers: readonly Caller[];
  tally: Tally;
}

const endpoints = new Map(drivenEndpoints().map((endpoint) => [endpoint.name, endpoint]));

export function endpointNamed(name: string): DrivenEndpoint {
  const endpoint = endpoints.get(name);
  if (!endpoint) throw new Error(`The contract has no endpoint ${name}`);
  return endpoint;
}

/** Makes the world of the plan in place of the one before. */
export async function makeWorld(stage: Stage, plan: Plan, tally: Tally): Promise<World> {
  const model = emptyModel();
  plant(model, plan, stage.identities);
  await store(stage.sql, model);
  const [root, ...people] = await callersOf(stage, plan);
  if (!root) throw new Error('No world is without a root');
  const examiner = new Examiner(stage.port, model, tally);
  // The people were others in the world before: a change of a tenant makes the service forget them all.
  const [id] = model.tenants.keys();
  await examiner.ask({ endpoint: endpointNamed('tenants.update'), caller: root, header: undefined, input: { id } }, 'rest');
  const world = { model, examiner, port: stage.port, sql: stage.sql, root, callers: [root, ...people], tally };
  await plantAttachments(world, plan);
  return world;
}

async function callersOf({ sign, identities, strangers }: Stage, { tenants, people }: Plan): Promise<Caller[]> {
  const badges = [[{}], ...people.map((person) => person.badges)];
  const clients = tenants.map((_, place) => clientOf(place));
  const [first = '', second = ''] = clients;
  const shared = { sub: randomUUID() };
  return Promise.all([
    ...badges.flatMap((each, place) => each.map((badge) => caller(sign, `person ${place}`, identities[place]?.sub ?? '', badge))),
    ...clients.map((client) => application(sign, client)),
    // One subject with tokens of two clients, a login at a client, and a person with a client's token.
    application(sign, first, shared),
    application(sign, second, shared),
    application(sign, first, { badge: { hasSession: true } }),
    caller(sign, 'person 1', identities[1]?.sub ?? '', { azp: first, hasSession: false }),
  ]).then((known) => [...known, ...strangers]);
}

/** Uploads as the root would, and then has them uploaded by those whom the plan names. */
async function plantAttachments({ model, examiner, sql, root }: World, plan: Plan): Promise<void> {
  const [tenantIds, userIds] = [[...model.tenants.keys()], [...model.users.keys()]];
  const living = plan.organizations.filter(({ deleted }) => !deleted);
  const uploads = [...model.organizations.keys()].flatMap((id, place) => (living[place]?.attachments ?? []).map((by) => ({ ...by, id })));
  for (const { id: entityId, person, tenant } of uploads) {
    // Some belong to no organization, but to the tenant and the person.
    const input = { file: newFile(), filename: `m${next()}x.pdf`, ...(person % 2 === 0 ? { entityId } : {}) };
    await examiner.ask({ endpoint: endpointNamed('attachments.create'), caller: root, header: undefined, input }, 'rest');
    const attachment = [...model.attachments.values()].at(-1);
    if (!attachment) return;
    attachment.userId = userIds[person] ?? attachment.userId;
    attachment.tenantId = tenantIds[tenant] ?? null;
    const { id, userId, tenantId } = attachment;
    await sql('update attachments set user_id = $2, tenant_id = $3 where id = $1', [id, userId, tenantId]);
  }
}
