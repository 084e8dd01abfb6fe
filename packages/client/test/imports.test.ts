import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ImportProgress, ImportStatus, RunImportOptions } from '../src/index.ts';
import { held, lost, type Reply, startStub, unavailable } from './stub.ts';

/** The pauses between two requests, in milliseconds. In the tests they take a hundredth of their time. */
let pauses: number[];
beforeEach(() => {
  pauses = [];
  const { setTimeout: start } = globalThis;
  vi.stubGlobal('setTimeout', (work: () => void, ms: number, ...rest: []) => {
    if (![250, 500, 1_000, 2_000].includes(ms)) return start(work, ms, ...rest);
    pauses.push(ms);
    return start(work, ms / 100);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const record = (status: ImportStatus, processed = 0) => ({ id: '7', status, processed });
const created: Reply = { status: 202, body: JSON.stringify(record('QUEUED')) };
const polled = (status: ImportStatus, processed = 0): Reply => ({ status: 200, data: record(status, processed) });
const completed = polled('COMPLETED', 2);
const cancelled: Reply = { status: 202, data: record('CANCELLED') };

const file = new File(['name\r\nVale\r\n'], 'a.csv');
const pathsOf = ({ received }: Awaited<ReturnType<typeof startStub>>) => received.map(({ method, path }) => `${method} ${path}`);
const [posted, read, cancel] = ['POST /api/imports', 'GET /trpc/imports.get', 'POST /trpc/imports.cancel'];

test('run uploads the fields and then the file, waits for the end of the import, and reports each change', async () => {
  const stub = await startStub(created, polled('QUEUED'), polled('RUNNING', 1), polled('RUNNING', 1), polled('RUNNING', 2), completed);
  const progress: ImportProgress[] = [];
  const options: RunImportOptions = { type: 'organizations', mode: 'upsert', dryRun: true, delimiter: ';', format: 'csv' };
  const ended = await stub.client().imports.run(file, { ...options, onProgress: (now) => progress.push(now) });
  expect(ended).toEqual(record('COMPLETED', 2));
  expect(progress).toEqual([
    { phase: 'upload', loaded: 12, total: 12 },
    ...[record('QUEUED'), record('RUNNING', 1), record('RUNNING', 2), ended].map((each) => ({ phase: 'rows', import: each })),
  ]);
  expect(pathsOf(stub)).toEqual([posted, ...Array<string>(5).fill(read)]);
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000]);
  expect(stub.received.slice(1).map(({ inputs }) => inputs[0])).toEqual(Array.from({ length: 5 }, () => ({ id: '7' })));
  const [{ headers, body }] = stub.received as [(typeof stub.received)[0]];
  expect(headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
  const parts = body.split(/--profile-[\da-f-]+(?:--)?\r\n/).filter(Boolean);
  const field = (name: string, value: string) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  expect(parts.slice(0, -1).toSorted()).toEqual(
    [
      field('type', 'organizations'),
      field('mode', 'upsert'),
      field('delimiter', ';'),
      field('format', 'csv'),
      field('dryRun', 'true'),
    ].toSorted(),
  );
  expect(parts.at(-1)).toBe(
    'content-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\nname\r\nVale\r\n\r\n',
  );
});

test('run leaves out the fields that are not given, and sends the file name and the idempotency key that are', async () => {
  const stub = await startStub(created, completed);
  await stub.client().imports.run(new Blob(['{}']), { type: 'users', filename: 'b.jsonl', idempotencyKey: 'monday', mode: undefined });
  const [{ headers, body }] = stub.received as [(typeof stub.received)[0]];
  expect(headers['idempotency-key']).toBe('monday');
  expect([...body.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)).toEqual(['type', 'file']);
  expect(body).toContain('filename="b.jsonl"\r\ncontent-type: application/x-ndjson');
});

test('run uploads a stream once, and closes it if that fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'profile-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'c.ndjson');
  await writeFile(path, '{"name":"Vale"}\n');
  const stub = await startStub(created, completed, unavailable);
  const { imports } = stub.client();
  expect(await imports.run(createReadStream(path), { type: 'customers' })).toEqual(record('COMPLETED', 2));
  expect(stub.received[0]?.body).toContain('filename="c.ndjson"\r\ncontent-type: application/x-ndjson\r\n\r\n{"name":"Vale"}\n');
  const again = createReadStream(path);
  await expect(imports.run(again, { type: 'customers' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(again.destroyed).toBe(true);
  expect(stub.received).toHaveLength(3);
});

test.each<ImportStatus>(['FAILED', 'CANCELLED'])('run resolves with an import that is %s', async (status) => {
  const stub = await startStub(created, polled(status));
  expect(await stub.client().imports.run.safe(file, { type: 'users' })).toEqual({ ok: true, data: record(status) });
});

test('run throws why the service does not accept the file', async () => {
  const stub = await startStub({ status: 400, code: 'INVALID_IMPORT_FILE' });
  const { imports } = stub.client();
  await expect(imports.run(file, { type: 'users' })).rejects.toMatchObject({ name: 'ProfileError', code: 'INVALID_IMPORT_FILE' });
  expect(await imports.run.safe(file, { type: 'users' })).toMatchObject({ ok: false, error: { code: 'INVALID_IMPORT_FILE' } });
  expect(stub.received).toHaveLength(2);
});

test('run repeats an upload that fails temporarily, with the same idempotency key', async () => {
  const stub = await startStub(lost, unavailable, created, completed);
  await stub.client().imports.run(file, { type: 'users' });
  expect(pathsOf(stub)).toEqual([posted, posted, posted, read]);
  expect(new Set(stub.received.slice(0, 3).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('run goes on after temporary failures while it waits, more often than maxAttempts', async () => {
  const stub = await startStub(created, polled('RUNNING', 1), unavailable, lost, { status: 502, body: '<html>' }, completed);
  expect(await stub.client({ maxAttempts: 2 }).imports.run(file, { type: 'users' })).toEqual(record('COMPLETED', 2));
});

test('run and wait throw other failures while they wait, and do not cancel the import', async () => {
  const stub = await startStub(created, { status: 404, code: 'IMPORT_NOT_FOUND' });
  const { imports } = stub.client();
  await expect(imports.run(file, { type: 'users' })).rejects.toMatchObject({ code: 'IMPORT_NOT_FOUND' });
  expect(await imports.wait.safe('7')).toMatchObject({ ok: false, error: { code: 'IMPORT_NOT_FOUND' } });
  expect(pathsOf(stub)).toEqual([posted, read, read]);
});

test('run fails with CLIENT_ERROR if onProgress throws, and does not cancel the import', async () => {
  const stub = await startStub(created, completed);
  const onProgress = ({ phase }: ImportProgress) => {
    if (phase === 'rows') throw new Error('no bar');
  };
  await expect(stub.client().imports.run(file, { type: 'users', onProgress })).rejects.toMatchObject({
    code: 'CLIENT_ERROR',
    message: 'no bar',
  });
  expect(pathsOf(stub)).toEqual([posted]);
});

describe('an abort of run', () => {
  const cause = new Error('enough');
  const aborted = { name: 'ProfileError', code: 'ABORTED', message: 'The call was aborted: enough', cause };

  test('during the upload cancels nothing', async () => {
    const stub = await startStub(held);
    const abort = new AbortController();
    const ended = stub.client().imports.run(file, { type: 'users', signal: abort.signal });
    ended.catch(() => undefined);
    await vi.waitFor(() => expect(stub.received).toHaveLength(1));
    abort.abort(cause);
    await expect(ended).rejects.toMatchObject(aborted);
    await expect(stub.client().imports.run(file, { type: 'users', signal: abort.signal })).rejects.toMatchObject(aborted);
    expect(pathsOf(stub)).toEqual([posted]);
  });

  test.each<[string, Reply | typeof held, Reply | typeof lost, string[]]>([
    ['cancels the import, then rejects', held, cancelled, [cancel]],
    ['during a pause does so too', { ...unavailable, headers: { 'retry-after': '900' } }, cancelled, [cancel]],
    ['rejects if the import cannot be cancelled', held, { status: 409, code: 'IMPORT_NOT_RUNNING' }, [cancel]],
    ['repeats the cancellation after a temporary failure', held, lost, [cancel, cancel, cancel]],
  ])('after it %s', async (_does, reply, last, cancellations) => {
    const stub = await startStub(created, polled('RUNNING', 1), reply, last);
    const abort = new AbortController();
    const tenantId = () => (stub.received.length === 0 ? 'A' : 'B');
    const ended = stub.client({ tenantId }).imports.run(file, { type: 'users', signal: abort.signal });
    ended.catch(() => undefined);
    await vi.waitFor(() => expect(stub.received).toHaveLength(3));
    abort.abort(cause);
    await expect(ended).rejects.toMatchObject(aborted);
    expect(pathsOf(stub)).toEqual([posted, read, read, ...cancellations]);
    expect(stub.received.at(-1)).toMatchObject({ inputs: [{ id: '7' }], headers: { 'x-tenant-id': 'A' } });
  });
});

test('all requests of run and wait go to the tenant that was active when the call was made', async () => {
  const stub = await startStub(
    created,
    polled('RUNNING', 1),
    unavailable,
    polled('RUNNING', 2),
    completed,
    polled('RUNNING', 1),
    completed,
  );
  let active = 'A';
  const tenantId = vi.fn<() => string>(() => active);
  const { imports } = stub.client({ tenantId });
  const ended = imports.run(file, { type: 'users' });
  active = 'B';
  await ended;
  const waited = imports.wait('7');
  active = 'C';
  await waited;
  expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual([...Array<string>(5).fill('A'), 'B', 'B']);
  expect(tenantId).toHaveBeenCalledTimes(2);
});

test('wait requests an import at once, and reports it as it is', async () => {
  const stub = await startStub(polled('RUNNING', 1), polled('RUNNING', 1), completed);
  const progress: ImportProgress[] = [];
  const onProgress = (now: ImportProgress) => progress.push(now);
  expect(await stub.client().imports.wait('7', { onProgress })).toEqual(record('COMPLETED', 2));
  expect(progress).toEqual([record('RUNNING', 1), record('COMPLETED', 2)].map((each) => ({ phase: 'rows', import: each })));
  expect(pauses).toEqual([250, 500]);
});

test('an abort of wait does not cancel the import', async () => {
  const stub = await startStub(polled('RUNNING', 1), held);
  const abort = new AbortController();
  const ended = stub.client().imports.wait('7', { signal: abort.signal });
  ended.catch(() => undefined);
  await vi.waitFor(() => expect(stub.received).toHaveLength(2));
  abort.abort();
  await expect(ended).rejects.toMatchObject({ code: 'ABORTED' });
  expect(pathsOf(stub)).toEqual([read, read]);
});
