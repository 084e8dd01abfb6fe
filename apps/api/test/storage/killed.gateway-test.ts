import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../../../../scripts/storage/gateway.ts';
import { beginUpload, content } from '../support/files.ts';
import { startProcess } from '../support/process.ts';
import { startWorld, type World } from '../support/world.ts';
import { startObserved } from './services.ts';
import { cleanUp, large, moreThanAPart, storedState, transfers, unchanged } from './transfers.ts';

let gateway: Gateway;
let world: World;
beforeAll(async () => {
  gateway = await startGateway();
  world = await startWorld({ ...gateway.settings, ATTACHMENT_MAX_BYTES: String(veryLarge.length) });
});
afterAll(async () => {
  await world.stop();
  await gateway.stop();
});

/** Does not fit into the buffers of the connections. */
const veryLarge = content('application/pdf', 40 * 1024 ** 2);

/** Sends an upload up to its second part, and waits until the storage has begun it. */
async function uploadOnePart(url: string) {
  const sending = beginUpload(url, world.global, large);
  sending.send(moreThanAPart);
  await expect.poll(async () => (await storedState(world)).open).toHaveLength(1);
  return sending;
}

test('a service that is killed during an upload leaves an invisible part, which the clean-up removes after an hour', async () => {
  const before = await storedState(world);
  const service = await startProcess(world.environment);
  const sending = await uploadOnePart(service.url);
  const failure = sending.answer.catch(({ message }: Error) => message);
  await service.kill();
  expect(await failure).toMatch(/socket hang up|ECONNRESET|EPIPE/);
  const { keys, paths, open } = await storedState(world);
  expect({ keys, paths }).toEqual({ keys: before.keys, paths: before.paths });
  expect(open).toHaveLength(1);
  expect(await cleanUp(world, 55)).toEqual(unchanged);
  expect(await cleanUp(world, 65)).toEqual({ ...unchanged, aborted: 1 });
  expect(await storedState(world)).toEqual(before);
});

test('a storage that is killed during an upload and a download fails both, and both work again when it is back', async () => {
  const { service, health } = await startObserved(world, gateway.settings);
  const files = transfers(world, service.url);
  const { body } = await files.upload(veryLarge);
  const before = await storedState(world);
  const sending = await uploadOnePart(service.url);
  const download = await files.beginDownload(body.id);

  await gateway.kill();
  sending.sendRest();
  expect(await sending.answer).toEqual({ status: 400, code: 'FailedToUploadFileError' });
  await expect(download.toArray()).rejects.toThrow('aborted');
  expect(await files.download(body.id)).toMatchObject({ status: 400, code: 'FailedToDownloadFileError' });
  await expect.poll(health).toMatchObject({ code: 200, status: 'degraded', storage: 'down' });

  await gateway.start();
  const { keys, paths } = await storedState(world);
  expect({ keys, paths }).toEqual({ keys: before.keys, paths: before.paths });
  expect((await files.download(body.id)).bytes.equals(veryLarge)).toBe(true);
  expect((await files.upload(large)).status).toBe(201);
  await expect.poll(health).toMatchObject({ code: 200, status: 'ok', storage: 'ok' });
  expect(await cleanUp(world, 65)).toEqual({ ...unchanged, aborted: 1 });
});
