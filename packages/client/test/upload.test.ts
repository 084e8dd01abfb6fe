import { afterEach, expect, test, vi } from 'vitest';
import { createProfileClient, type ImportProgress, type Progress } from '../src/index.ts';

const problem = { code: 'FILE_REQUIRED', detail: 'The upload has no file.', status: 400 };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A stand-in for XMLHttpRequest. The test fires its events. */
class BrowserRequest {
  static latest: BrowserRequest;
  readonly headers: Record<string, string> = {};
  readonly upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  target = '';
  body: Blob | undefined;
  status = 0;
  responseText = '';
  type = '';
  constructor() {
    BrowserRequest.latest = this;
  }
  open(method: string, url: string) {
    this.target = `${method} ${url}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: Blob) {
    this.body = body;
  }
  abort() {
    this.onabort?.();
  }
  getResponseHeader(name: string) {
    return { 'content-type': this.type, etag: '"1"' }[name] ?? null;
  }
  /** Receives the response. */
  load(status: number, body: object, type = 'application/json') {
    Object.assign(this, { status, responseText: JSON.stringify(body), type });
    this.onload?.();
  }
}

/** Waits for another request than this one, until it is sent. */
async function nextRequest(before?: BrowserRequest): Promise<BrowserRequest> {
  await vi.waitFor(() => expect(BrowserRequest.latest).not.toBe(before));
  await vi.waitFor(() => expect(BrowserRequest.latest.body).toBeDefined());
  return BrowserRequest.latest;
}

async function begin({ maxAttempts = 1, ...more }: { maxAttempts?: number; signal?: AbortSignal; onProgress?: () => never } = {}) {
  vi.stubGlobal('XMLHttpRequest', BrowserRequest);
  const client = createProfileClient({ url: 'http://service', token: async () => 'token', tenantId: () => 'tenant', maxAttempts });
  const progress: Progress[] = [];
  const before = BrowserRequest.latest;
  const file = new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' });
  const uploaded = client.attachments.upload(file, { description: 'x' }, { onProgress: (now) => progress.push(now), ...more });
  uploaded.catch(() => undefined);
  return { uploaded, progress, request: await nextRequest(before) };
}

test('an upload in a browser reports the bytes of the file by XMLHttpRequest, without those of the form', async () => {
  const { uploaded, progress, request } = await begin();
  expect(request.target).toBe('POST http://service/api/attachments');
  const { 'content-type': contentType, ...headers } = request.headers;
  expect(headers).toEqual({ authorization: 'Bearer token', 'x-tenant-id': 'tenant' });
  const boundary = contentType!.split('boundary=')[1]!;
  const form = await request.body!.text();
  expect(form).toBe(
    [
      `--${boundary}\r\ncontent-disposition: form-data; name="description"\r\n\r\nx`,
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-`,
      `--${boundary}--\r\n`,
    ].join('\r\n'),
  );
  const head = form.indexOf('%PDF-');
  for (const loaded of [10, head + 2, head + 5, form.length]) request.upload.onprogress?.({ loaded });
  expect(progress).toEqual([0, 2, 5, 5].map((loaded) => ({ loaded, total: 5 })));
  request.load(201, { id: '1' });
  expect(await uploaded).toEqual({ id: '1', etag: '"1"' });
});

test('an import in a browser reports its upload by XMLHttpRequest, then its rows', async () => {
  vi.stubGlobal('XMLHttpRequest', BrowserRequest);
  const client = createProfileClient({ url: 'http://service', token: 'token', fetch: () => Promise.reject(new Error('not needed')) });
  const progress: ImportProgress[] = [];
  const before = BrowserRequest.latest;
  const ended = client.imports.run(new File(['12345'], 'a.csv'), { type: 'users', onProgress: (now) => progress.push(now) });
  const request = await nextRequest(before);
  expect(request.target).toBe('POST http://service/api/imports');
  request.upload.onprogress?.({ loaded: request.body!.size });
  const completed = { id: '1', status: 'COMPLETED' };
  request.load(202, completed);
  expect(await ended).toEqual(completed);
  expect(progress).toEqual([
    { phase: 'upload', loaded: 5, total: 5 },
    { phase: 'rows', import: completed },
  ]);
});

test('an upload throws the problem of an error response, and an error when the connection breaks', async () => {
  const rejected = await begin();
  rejected.request.load(400, problem, 'application/problem+json');
  await expect(rejected.uploaded).rejects.toMatchObject({ code: 'FILE_REQUIRED', status: 400, problem });
  const broken = await begin();
  broken.request.onerror?.();
  await expect(broken.uploaded).rejects.toMatchObject({ code: 'CONNECTION_FAILED', status: undefined });
});

test('an upload whose connection breaks is repeated with the same idempotency key', async () => {
  const { uploaded, request } = await begin({ maxAttempts: 2 });
  request.onerror?.();
  const again = await nextRequest(request);
  again.load(201, { id: '1' });
  expect(await uploaded).toMatchObject({ id: '1' });
  expect(request.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
  expect(again.headers['idempotency-key']).toBe(request.headers['idempotency-key']);
});

test.each([
  { url: 'http://service', token: 'se\ncret' },
  { url: 'http://user:secret@service', token: 'token' },
])('an upload with %j fails with CLIENT_ERROR, whose message has no secrets', async (options) => {
  vi.stubGlobal('XMLHttpRequest', BrowserRequest);
  const failed = createProfileClient(options).attachments.upload(new Blob(['x']), {}, { onProgress: () => undefined });
  await expect(failed).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: expect.not.stringMatching(/se\s?cret/) });
  // It was not sent.
  expect(BrowserRequest.latest.body).toBeUndefined();
});

test('an upload whose onProgress throws is aborted', async () => {
  const onProgress = (): never => {
    throw new Error('no element');
  };
  const { uploaded, request } = await begin({ maxAttempts: 3, onProgress });
  request.upload.onprogress?.({ loaded: 1 });
  await expect(uploaded).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: 'no element' });
  expect(BrowserRequest.latest).toBe(request);
});

test('a signal aborts an upload', async () => {
  const abort = new AbortController();
  const { uploaded } = await begin({ signal: abort.signal });
  const cause = new Error('enough');
  abort.abort(cause);
  await expect(uploaded).rejects.toMatchObject({ code: 'ABORTED', message: 'The call was aborted: enough', cause });
});
