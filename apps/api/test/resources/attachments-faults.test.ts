import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { type Api, createApi } from '../support/api.ts';
import { beginUpload, content, eventually, form, pdf, upload } from '../support/files.ts';
import type { Person } from '../support/people.ts';
import { type Proxy, startProxy } from '../../../../test/proxy.ts';
import { raceAgainst } from '../support/race.ts';
import type { Attachment } from '../support/records.ts';
import { startStubS3, type StubS3 } from '../../../../test/storage/stub-s3.ts';
import { startWorld, type World } from '../support/world.ts';

const large = content('application/pdf', 5.9 * 1024 * 1024);
let world: World;
let member: Person;
let storage: StubS3;
let database: Proxy;
/** An instance that connects to its database through the proxy. */
let service: Service;
let api: Api;
beforeAll(async () => {
  storage = await startStubS3();
  world = await startWorld(storage.settings);
  member = await world.person({ [(await world.tenant()).id]: 'tenant-admin' });
  database = await startProxy(world.databaseUrl);
  service = await world.another({ DATABASE_URL: database.url });
  api = createApi(service.url);
});
afterAll(async () => {
  await world.stop();
  await storage.stop();
  await database.stop();
});

/** Objects, unfinished uploads and records. */
const state = async () => {
  const records = await world.sql<{ path: string }>('select file_path as path from attachments where deleted_at is null order by 1');
  return {
    keys: [...storage.objects.keys()].toSorted(),
    open: storage.openUploads(),
    paths: records.map(({ path }) => path),
  };
};
const create = () => api.call<Attachment>(member, 'POST /api/attachments', form(['file', pdf()]));
const download = (id: string) => api.call(member, `GET /api/attachments/${id}`);
/** Sends the first bytes of an upload, and waits until as many multipart uploads were begun in the storage. */
async function beginUploadOf(bytes: number, begun: number) {
  const { open } = await state();
  const sending = beginUpload(service.url, member, large);
  sending.send(bytes);
  await eventually(async () => (await state()).open.length).toBe(open.length + begun);
  return sending;
}

describe('an upload', () => {
  // Rules: ATTACHMENTS-6, ATTACHMENTS-7
  test('answers FailedToUploadFileError if the storage is unreachable or fails, and leaves neither object nor record', async () => {
    const before = await state();
    storage.cut();
    expect(await create()).toMatchObject({ status: 400, code: 'FailedToUploadFileError' });
    storage.restore();
    expect(await state()).toEqual(before);
    const sending = await beginUploadOf(5.5 * 1024 * 1024, 1);
    storage.cut();
    sending.sendRest();
    expect(await sending.answer).toEqual({ status: 400, code: 'FailedToUploadFileError' });
    storage.restore();
    expect(await state()).toEqual({ ...before, open: expect.anything() });
  });

  // Rules: ATTACHMENTS-7
  test.each([
    ['before', 100_000, 0],
    ['after', 5.5 * 1024 * 1024, 1],
  ])('leaves neither object nor record if the client disconnects %s the first part is stored', async (_when, bytes, begun) => {
    const before = await state();
    const sending = await beginUploadOf(bytes, begun);
    sending.leave();
    await eventually(state).toEqual(before);
    expect((await create()).status).toBe(201);
  });

  // Rules: ATTACHMENTS-9
  test('keeps its file if the connection to the database breaks during the commit', async () => {
    const before = await state();
    // The commit waits for the row lock of the rival transaction.
    await world.sql(`
      create table gate as select 1 as id;
      create function wait() returns trigger language plpgsql as 'begin perform 1 from gate for update; return null; end';
      create constraint trigger wait after insert on attachments deferrable initially deferred for each row execute function wait()`);
    const request = () => createApi(service.url, { mayFail: true }).call(member, 'POST /api/attachments', form(['file', pdf()]));
    const answer = await raceAgainst(world, ['select 1 from gate for update', []], request, async () => database.cut());
    expect(answer.code).toBe('SERVICE_UNAVAILABLE');
    await eventually(async () => (await state()).paths.length).toBe(before.paths.length + 1);
    await world.sql('drop trigger wait on attachments');
    database.forward();
    const { keys, paths } = await state();
    expect(keys).toEqual(expect.arrayContaining(paths));
  });
});

describe('a download', () => {
  // Rules: ATTACHMENTS-13
  test('answers FailedToDownloadFileError while the storage is unreachable, or if the object has another size or is missing', async () => {
    const { id, filePath } = (await create()).body;
    const refused = { status: 400, code: 'FailedToDownloadFileError' };
    storage.cut();
    expect(await download(id)).toMatchObject(refused);
    storage.restore();
    expect((await download(id)).status).toBe(200);
    storage.objects.set(filePath, Buffer.from('%PDF-1.7'));
    expect(await download(id)).toMatchObject(refused);
    storage.objects.delete(filePath);
    expect(await download(id)).toMatchObject(refused);
  });

  test('closes the connection if the storage fails during the download', async () => {
    const { body } = await upload(world, member, {}, new File([large], 'a.pdf', { type: 'application/pdf' }));
    const options = { headers: { authorization: `Bearer ${member.token}` }, agent: false };
    const [response] = (await once(get(`${service.url}/api/attachments/${body.id}`, options), 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    await once(response, 'readable');
    storage.cut();
    await expect(response.toArray()).rejects.toThrow('aborted');
    storage.restore();
  });
});

// Rules: ATTACHMENTS-18
test('a deletion deletes the record and keeps the file while the storage is unreachable', async () => {
  const { id, filePath } = (await create()).body;
  storage.cut();
  expect((await api.call(member, `DELETE /api/attachments/${id}`)).status).toBe(204);
  storage.restore();
  expect((await download(id)).code).toBe('ATTACHMENT_NOT_FOUND');
  expect((await state()).keys).toContain(filePath);
});
