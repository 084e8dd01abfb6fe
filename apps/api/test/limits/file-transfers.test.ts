import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { type Actor, type Api, outcome } from '../support/api.ts';
import { headOf, openConnection } from '../transports/connection.ts';
import { beginUpload, content, form, lookInto, pdf } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

/** Much more than the buffers of the operating system hold. */
const largeBytes = 16 * 1024 * 1024;
/** Two uploads and two downloads of a tenant at the same time. */
const settings = { UPLOADS_AT_ONCE_PER_TENANT: '2', DOWNLOADS_AT_ONCE_PER_TENANT: '2', ATTACHMENT_MAX_BYTES: String(2 * largeBytes) };

const world = useWorld();
const other = useMember(world, useTenant(world), 'technician');
const busy = useMember(world, useTenant(world), 'technician');
const api = duringTests(() => world.another(settings, { tenantLimits: { waitMs: 300 } }));
let large: string;
let small: string;
beforeAll(async () => {
  large = (await upload(busy, pdf('large.pdf', largeBytes))).body.id;
  small = (await upload(other)).body.id;
});

const upload = (actor: Actor, file = pdf(), to: Api = api) => to.call<{ id: string }>(actor, 'POST /api/attachments', form(['file', file]));
const download = (actor: Actor, id: string, from = 0, to: Api = api) =>
  to.call(actor, `GET /api/attachments/${id}`, undefined, { range: `bytes=${from}-${from + 9}` });

describe('a tenant whose clients do not read their downloads', () => {
  const begin = async () => {
    const { socket, until } = await openConnection(api.port);
    socket.write(headOf(`GET /api/attachments/${large}`, busy));
    await until('%PDF');
    return socket.pause();
  };

  test('gets 429 for further downloads only, and other tenants are not affected', async () => {
    const slow = [await begin(), await begin()];
    expect(outcome(await download(busy, large))).toBe('RATE_LIMITED');
    expect([await upload(busy), await api.call(busy, 'GET /api/attachments')].map(outcome)).toEqual([201, 200]);
    expect([await download(other, small), await upload(other)].map(outcome)).toEqual([206, 201]);
    for (const socket of slow) socket.destroy();
    await expect.poll(async () => outcome(await download(busy, large))).toBe(206);
  });

  test('keeps its slots after failed downloads', async () => {
    for (let index = 0; index < 3; index += 1) {
      const failed = [await download(busy, absentId), await download(busy, 'no id'), await download(busy, large, largeBytes)];
      expect(failed.map(outcome)).toEqual(['ATTACHMENT_NOT_FOUND', 'VALIDATION_FAILED', 'RANGE_NOT_SATISFIABLE']);
    }
    expect(outcome(await download(busy, large))).toBe(206);
  });
});

describe('a tenant whose uploads stall', () => {
  const begin = () => {
    const started = beginUpload(api.url, busy, content('application/pdf', 200_000));
    started.send(100_000);
    return started;
  };

  test('gets 429 for further uploads only, and other tenants are not affected', async () => {
    const [left, finished] = [begin(), begin()];
    await expect.poll(async () => outcome(await upload(busy))).toBe('RATE_LIMITED');
    expect([await download(busy, large), await api.call(busy, 'GET /api/attachments')].map(outcome)).toEqual([206, 200]);
    expect([await upload(other), await download(other, small)].map(outcome)).toEqual([201, 206]);
    left.leave();
    await expect.poll(async () => outcome(await upload(busy))).toBe(201);
    finished.sendRest();
    expect(await finished.answer).toMatchObject({ status: 201 });
  });

  test('keeps its slots after rejected uploads, which store nothing', async () => {
    const before = await lookInto(world).keys();
    const empty = () => api.call(busy, 'POST /api/attachments', form(['other', 'x']));
    const wrong = () => upload(busy, new File(['<p>'], 'a.pdf', { type: 'application/pdf' }));
    for (const attempt of [empty, empty, empty, wrong, wrong, wrong]) expect((await attempt()).status).toBe(400);
    expect(await lookInto(world).keys()).toEqual(before);
    expect(outcome(await upload(busy))).toBe(201);
  });
});

test('a tenant is not limited if the limits are 0', async () => {
  const free = await world.another({ ...settings, UPLOADS_AT_ONCE_PER_TENANT: '0', DOWNLOADS_AT_ONCE_PER_TENANT: '0' });
  const calls = Array.from({ length: 8 }, () => [upload(busy, pdf(), free), download(busy, large, 0, free)]);
  const answers = await Promise.all(calls.flat());
  expect(new Set(answers.map(outcome))).toEqual(new Set([201, 206]));
});
