import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service.ts';
import { type Api, createApi } from '../support/api.ts';
import { beginUpload, content, eventually, form, pdf, upload } from '../support/files.ts';
import type { Person } from '../support/people.ts';
import { type Proxy, startProxy } from '../support/proxy.ts';
import type { Attachment } from '../support/records.ts';
import { startStubS3, type StubS3 } from '../support/stub-s3.ts';
import { startWorld, type World } from '../support/world.ts';

const large = content('application/pdf', 5.9 * 1024 * 1024);
let world: World;
let tenantId: string;
let member: Person;
let storage: StubS3;
let database: Proxy;
/** An instance with a proxy before its database. */
let service: Service;
let api: Api;
beforeAll(async () => {
  storage = await startStubS3();
  world = await startWorld(storage.settings);
  tenantId = (await world.tenant()).id;
  member = await world.person({ [tenantId]: 'tenant-admin' });
  database = await startProxy(world.databaseUrl);
  service = await world.another({ DATABASE_URL: database.url });
  api = createApi(service.url);
});
afterAll(async () => {
  await world.stop();
  await storage.stop();
  await database.stop();
});

const state = async () => {
  const records = await world.sql<{ path: string }>('select file_path as path from attachments where deleted_at is null order by 1');
  return {
    keys: [...storage.objects.keys()].toSorted(),
    open: storage.openUploads(),
    paths: records.map(({ path }) => path),
  };
};
const create = () => api.call<Attachment>(member, 'POST /api/attachments', form(['file', pdf()]));

describe('an upload', () => {
  test('is FailedToUploadFileError while the storage is away, and goes on when it is back', async () => {
    const before = await state();
    storage.cut();
    const { status, code } = await create();
    expect({ status, code }).toEqual({ status: 400, code: 'FailedToUploadFileError' });
    storage.mend();
    expect(await state()).toEqual(before);
    expect((await create()).status).toBe(201);
  });

  test('is FailedToUploadFileError where the storage goes away in its midst, and leaves neither object nor record', async () => {
    const before = await state();
    const slow = beginUpload(service.url, member, large);
    slow.send(5.5 * 1024 * 1024);
    await eventually(async () => (await state()).open).toHaveLength(1);
    storage.cut();
    slow.sendRest();
    expect(await slow.answer).toEqual({ status: 400, code: 'FailedToUploadFileError' });
    storage.mend();
    const { keys, paths } = await state();
    expect({ keys, paths }).toEqual({ keys: before.keys, paths: before.paths });
  });

  test.each([
    ['before', 100_000, 0],
    ['after', 5.5 * 1024 * 1024, 1],
  ])('that its client leaves %s its first part is stored leaves neither object nor record', async (_when, bytes, begun) => {
    const before = await state();
    const slow = beginUpload(service.url, member, large);
    slow.send(bytes);
    await eventually(async () => (await state()).open.length).toBe(before.open.length + begun);
    slow.leave();
    await eventually(state).toEqual(before);
    expect((await create()).status).toBe(201);
  });

  test('is SERVICE_UNAVAILABLE where the database goes away in its midst, and leaves nothing', async () => {
    const before = await state();
    const slow = beginUpload(service.url, member, large);
    slow.send(5.5 * 1024 * 1024);
    await eventually(async () => (await state()).open.length).toBe(before.open.length + 1);
    database.cut();
    slow.sendRest();
    expect(await slow.answer).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    database.mend();
    expect(await state()).toEqual(before);
  });

  test('whose commit nobody learns of keeps its file', async () => {
    const before = await state();
    await world.sql(`create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(2); return null; end'`);
    await world.sql(
      'create constraint trigger wait after insert on attachments deferrable initially deferred for each row execute function wait()',
    );
    const answer = createApi(service.url, { mayFail: true }).call(member, 'POST /api/attachments', form(['file', pdf()]));
    const sleeping = () => world.sql("select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()");
    await eventually(sleeping).toHaveLength(1);
    database.cut();
    expect((await answer).code).toBe('SERVICE_UNAVAILABLE');
    await eventually(async () => (await state()).paths.length).toBe(before.paths.length + 1);
    await world.sql('drop trigger wait on attachments');
    database.mend();
    const { keys, paths } = await state();
    expect(keys).toEqual(expect.arrayContaining(paths));
  });

  test('where the active tenant is deleted in its midst is answered as the next request would be, and leaves nothing', async () => {
    const doomed = (await world.tenant()).id;
    const mover = await world.person({ [doomed]: 'coordinator' });
    const before = await state();
    const slow = beginUpload(world.service.url, mover, large);
    slow.send(5.5 * 1024 * 1024);
    await eventually(async () => (await state()).open.length).toBe(before.open.length + 1);
    expect((await world.call(world.global, `DELETE /api/tenants/${doomed}`)).status).toBe(204);
    slow.sendRest();
    expect(await slow.answer).toEqual({ status: 403, code: 'ACTIVE_TENANT_REQUIRED' });
    expect(await state()).toEqual(before);
  });
});

describe('a download', () => {
  test('is FailedToDownloadFileError while the storage is away', async () => {
    const { body } = await upload(world, member);
    storage.cut();
    const { status, code } = await api.call(member, `GET /api/attachments/${body.id}`);
    expect({ status, code }).toEqual({ status: 400, code: 'FailedToDownloadFileError' });
    storage.mend();
    expect((await api.call(member, `GET /api/attachments/${body.id}`)).status).toBe(200);
  });

  test.each([
    ['is gone', undefined],
    ['is another', Buffer.from('%PDF-1.7')],
  ])('is FailedToDownloadFileError where the object %s', async (_what, replacement) => {
    const { id, filePath } = (await upload(world, member)).body;
    storage.objects.delete(filePath);
    if (replacement) storage.objects.set(filePath, replacement);
    expect((await world.call(member, `GET /api/attachments/${id}`)).code).toBe('FailedToDownloadFileError');
  });

  test('is cut where the storage goes away in its midst', async () => {
    const { body } = await upload(world, member, {}, new File([large], 'a.pdf', { type: 'application/pdf' }));
    const headers = { authorization: `Bearer ${member.token}` };
    const request = get(`${service.url}/api/attachments/${body.id}`, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    await once(response, 'readable');
    storage.cut();
    await expect(response.toArray()).rejects.toThrow('aborted');
    storage.mend();
  });
});

describe('a deletion', () => {
  test('while the storage is away deletes the record, and the file later', async () => {
    const { body } = await upload(world, member);
    storage.cut();
    expect((await api.call(member, `DELETE /api/attachments/${body.id}`)).status).toBe(204);
    storage.mend();
    expect((await api.call(member, `GET /api/attachments/${body.id}`)).code).toBe('ATTACHMENT_NOT_FOUND');
    expect((await state()).keys).toContain(body.filePath);
  });

  test('while the database is away changes nothing', async () => {
    const { body } = await upload(world, member);
    database.cut();
    expect((await api.call(member, `DELETE /api/attachments/${body.id}`)).code).toBe('SERVICE_UNAVAILABLE');
    database.mend();
    expect((await state()).keys).toContain(body.filePath);
    expect((await world.call(member, `GET /api/attachments/${body.id}`)).status).toBe(200);
  });
});
