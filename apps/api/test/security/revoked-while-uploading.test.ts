import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service, ServiceOptions } from '../../src/service.ts';
import { type Actor, type Answer, type Api, createApi, outcome } from '../support/api.ts';
import { openConnection } from '../transports/connection.ts';
import { beginUpload, content, form, lookInto, pdf } from '../support/files.ts';
import type { Person } from '../support/people.ts';
import { absentId } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

/** Much more than the system takes in for a client that does not read. */
const largeBytes = 32 * 1024 * 1024;
/** Two uploads and two downloads of a tenant at once, and who waits for one is refused soon, though not while a quick one is ahead. */
const settings = { UPLOADS_AT_ONCE_PER_TENANT: '2', DOWNLOADS_AT_ONCE_PER_TENANT: '2', ATTACHMENT_MAX_BYTES: String(2 * largeBytes) };
const quick: ServiceOptions = { tenantLimits: { waitMs: 1_000 } };

let world: World;
let service: Service;
let api: Api;
let busy: Person;
let other: Person;
let large: string;
let small: string;
beforeAll(async () => {
  world = await startWorld();
  service = await world.another(settings, quick);
  api = createApi(service.url);
  busy = await world.person({ [(await world.tenant()).id]: 'technician' });
  other = await world.person({ [(await world.tenant()).id]: 'technician' });
  large = (await upload(busy, pdf('large.pdf', largeBytes))).body.id;
  small = (await upload(other)).body.id;
});
afterAll(() => world.stop());

const upload = (actor: Actor, file = pdf()) => api.call<{ id: string }>(actor, 'POST /api/attachments', form(['file', file]));
const download = (actor: Actor, id: string) => api.call(actor, `GET /api/attachments/${id}`, undefined, { range: 'bytes=0-9' });

describe('a tenant whose clients do not read their downloads', () => {
  const begin = async () => {
    const { socket, until } = await openConnection(service.port);
    socket.write(`GET /api/attachments/${large} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.token}\r\n\r\n`);
    await until('%PDF');
    return socket.pause();
  };

  test('gets no more of them, but everything else; others get all', async () => {
    const slow = [await begin(), await begin()];
    expect(outcome(await download(busy, large))).toBe('RATE_LIMITED');
    expect([await upload(busy), await api.call(busy, 'GET /api/attachments')].map(outcome)).toEqual([201, 200]);
    expect([await download(other, small), await upload(other)].map(outcome)).toEqual([206, 201]);
    for (const socket of slow) socket.destroy();
    await expect.poll(async () => outcome(await download(busy, large))).toBe(206);
  });

  test('gets them again after those that went wrong', async () => {
    for (const id of [absentId, absentId, absentId, 'no id', 'no id', 'no id'])
      expect((await download(busy, id)).status).toBeGreaterThanOrEqual(400);
    const beyond = () => api.call(busy, `GET /api/attachments/${large}`, undefined, { range: `bytes=${largeBytes}-` });
    for (let index = 0; index < 3; index += 1) expect((await beyond()).code).toBe('RANGE_NOT_SATISFIABLE');
    expect(outcome(await download(busy, large))).toBe(206);
  });
});

describe('a tenant whose uploads stop on the way', () => {
  const begin = () => {
    const started = beginUpload(service.url, busy, content('application/pdf', 200_000));
    started.send(100_000);
    return started;
  };

  test('makes no more of them, but may do everything else; others may do all', async () => {
    const stopped = [begin(), begin()];
    await expect.poll(async () => outcome(await upload(busy))).toBe('RATE_LIMITED');
    expect([await download(busy, large), await api.call(busy, 'GET /api/attachments')].map(outcome)).toEqual([206, 200]);
    expect([await upload(other), await download(other, small)].map(outcome)).toEqual([201, 206]);
    const [left, finished] = stopped;
    left!.leave();
    await expect.poll(async () => outcome(await upload(busy))).toBe(201);
    finished!.sendRest();
    expect(await finished!.answer).toMatchObject({ status: 201 });
  });

  test('makes them again after those that were refused, of which nothing is kept', async () => {
    const stored = async () => (await lookInto(world).keys()).length;
    const before = await stored();
    const empty = () => api.call(busy, 'POST /api/attachments', form(['other', 'x']));
    const wrong = () => upload(busy, new File(['<p>'], 'a.pdf', { type: 'application/pdf' }));
    for (const attempt of [empty, empty, empty, wrong, wrong, wrong]) expect((await attempt()).status).toBe(400);
    expect(await stored()).toBe(before);
    expect(outcome(await upload(busy))).toBe(201);
  });
});

test('without limits there are none', async () => {
  const free = createApi(
    (await world.another({ ...settings, UPLOADS_AT_ONCE_PER_TENANT: '0', DOWNLOADS_AT_ONCE_PER_TENANT: '0' }, quick)).url,
  );
  const many = (ask: () => Promise<Answer<unknown>>) => Promise.all(Array.from({ length: 8 }, ask));
  const answers = [
    ...(await many(() => free.call(busy, 'POST /api/attachments', form(['file', pdf()])))),
    ...(await many(() => free.call(busy, `GET /api/attachments/${large}`, undefined, { range: 'bytes=0-9' }))),
  ];
  expect(new Set(answers.map(outcome))).toEqual(new Set([201, 206]));
});
