import { connect, type EventPosition, firstPosition, readEvents, scoped, UnknownEventPositionError } from '@profile-service/db';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import { upload } from '../support/files.ts';
import type { Person, Tenant } from '../support/people.ts';
import type { World } from '../support/world.ts';

/** What exists before the restore point. */
export interface Before {
  tenant: Tenant;
  /** A viewer in the tenant. */
  person: Person;
  /** Its file is deleted after the restore point. */
  attachment: { id: string; filePath: string };
  /** Position of the last event. */
  position: EventPosition;
}

/** What was done after the restore point, so that a restore undoes it. */
export interface Undone {
  app: { id: string; etag: string };
  tenantTag: string;
  position: EventPosition;
  events: string[];
  attachment: { filePath: string };
}

const keyed = { 'idempotency-key': 'sent-after-the-restore-point' };
const newApp = { name: 'Created after the restore point' };
/** Only tenant-admins may do this. */
const adminOnly = 'GET /api/audit-entries';

async function readAfter(url: string, position?: EventPosition) {
  const database = connect({ connectionString: url, max: 1 });
  try {
    const query = { after: position ?? firstPosition, isCursor: position !== undefined, limit: 1_000 };
    return await readEvents(scoped(database.executor, { kind: 'all' }), 'user', query);
  } finally {
    await database.close();
  }
}

/** Waits for this number of events. A transaction of any database of the server delays them. */
async function eventsAfter(url: string, position: EventPosition | undefined, count: number) {
  await expect.poll(async () => (await readAfter(url, position)).events.length).toBeGreaterThanOrEqual(count);
  return readAfter(url, position);
}

/** Creates what a restore keeps. */
export async function changeBefore(world: World): Promise<Before> {
  const health = async () => (await fetch(`${world.service.url}/health/ready`)).json();
  // Until the cache is connected, callers are not cached in Redis.
  await expect.poll(health).toMatchObject({ checks: { cache: 'ok' } });
  const tenant = await world.tenant();
  const person = await world.person({ [tenant.id]: 'viewer' });
  const { body: attachment } = await upload(world, world.global);
  expect((await world.call(person, adminOnly)).status).toBe(403);
  // The customer, the app, the tenant, the user, its membership, and the attachment.
  const { position } = await eventsAfter(world.databaseUrl, undefined, 6);
  return { tenant, person, attachment, position };
}

/** Gives the person a right that Redis caches, creates an app with an idempotency key, and changes the tenant and the files. */
export async function changeAfter(world: World, { tenant, person, attachment, position }: Before, redisUrl: string): Promise<Undone> {
  await world.create(`POST /api/users/${person.id}/tenants`, { tenantId: tenant.id, persona: 'tenant-admin' });
  await expect.poll(async () => (await world.call(person, adminOnly)).status).toBe(200);
  // A notification of the change can arrive late, and remove the entry again.
  const callAndReadCache = async () => {
    await world.call(person, adminOnly);
    return cachedPersonas(redisUrl, person);
  };
  await expect.poll(callAndReadCache).toContain('tenant-admin');

  const create = () => world.call<{ id: string }>(world.global, 'POST /api/apps', newApp, keyed);
  const [created, repeated] = [await create(), await create()];
  expect([repeated.headers.get('idempotency-replayed'), repeated.body.id]).toEqual(['true', created.body.id]);

  const renamed = await world.call(world.global, `PUT /api/tenants/${tenant.id}`, { name: 'Renamed after the restore point' });
  const { body: added } = await upload(world, world.global);
  expect((await world.call(world.global, `DELETE /api/attachments/${attachment.id}`)).status).toBe(204);
  const later = await eventsAfter(world.databaseUrl, position, 5);
  return {
    app: { id: created.body.id, etag: created.headers.get('etag') ?? '' },
    tenantTag: renamed.headers.get('etag') ?? '',
    position: later.position,
    events: later.events.map(({ id }) => id),
    attachment: added,
  };
}

/** The personas in the entries of the person that Redis has, whether they are valid or not. */
export async function cachedPersonas(redisUrl: string, { subject }: Person): Promise<string[]> {
  const redis = new Redis(redisUrl);
  try {
    const entries = await redis.hvals(`user_auth:${subject}`);
    return entries.map((entry) => (JSON.parse(entry) as { value: { tenant: { persona: string } | null } }).value.tenant?.persona ?? '');
  } finally {
    redis.disconnect();
  }
}

/** Expects that nothing from after the restore point is in force. @param url of the restored database  @param api of the service on it */
export async function expectUndone(world: World, url: string, api: Api, before: Before, undone: Undone): Promise<void> {
  const { tenant, person } = before;
  // Rights: Redis has the entry with the right, and the service does not use it.
  expect((await api.call(person, adminOnly)).status).toBe(403);
  expect((await api.call(person, adminOnly)).status).toBe(403);

  // Idempotency keys: the request is made again.
  expect((await api.call(world.global, `GET /api/apps/${undone.app.id}`)).status).toBe(404);
  const again = await api.call<{ id: string }>(world.global, 'POST /api/apps', newApp, keyed);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect(again.body.id).not.toBe(undone.app.id);

  // ETags: each change gets a version that none has had, so no tag from after the restore point matches.
  for (let change = 0; change < 20; change += 1) {
    const { headers } = await api.call(world.global, `PUT /api/tenants/${tenant.id}`, { name: `Renamed again ${change}` });
    expect([undone.tenantTag, undone.app.etag]).not.toContain(headers.get('etag'));
  }
  const stale = { 'if-match': undone.tenantTag };
  expect((await api.call(world.global, `PUT /api/tenants/${tenant.id}`, { name: 'Stale' }, stale)).status).toBe(412);

  // Events: a reader from before the restore point gets the new ones only, and one from after it gets an error.
  const { events } = await eventsAfter(url, before.position, 21);
  expect(events.map(({ id }) => id).filter((id) => undone.events.includes(id))).toEqual([]);
  expect(events).toHaveLength(21);
  await expect(readAfter(url, undone.position)).rejects.toThrow(UnknownEventPositionError);
}
