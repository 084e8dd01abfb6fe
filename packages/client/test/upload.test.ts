import { afterEach, describe, expect, test, vi } from 'vitest';
import { createProfileClient, type Progress } from '../src/index.ts';

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
  type = 'application/json';
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
}

describe('in a browser', () => {
  async function begin(signal?: AbortSignal, maxAttempts = 1, report?: () => never) {
    vi.stubGlobal('XMLHttpRequest', BrowserRequest);
    const client = createProfileClient({ url: 'http://service', token: async () => 'token', tenantId: () => 'tenant', maxAttempts });
    const progress: Progress[] = [];
    const options = { onProgress: report ?? ((now: Progress) => progress.push(now)), ...(signal ? { signal } : {}) };
    const before = BrowserRequest.latest;
    const uploaded = client.attachments.upload(new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' }), { description: 'x' }, options);
    uploaded.catch(() => undefined);
    await vi.waitFor(() => expect(BrowserRequest.latest).not.toBe(before));
    await vi.waitFor(() => expect(BrowserRequest.latest.body).toBeDefined());
    return { uploaded, progress, request: BrowserRequest.latest };
  }

  test('an upload reports its progress by XMLHttpRequest', async () => {
    const { uploaded, progress, request } = await begin();
    expect(request.target).toBe('POST http://service/api/attachments');
    const { 'content-type': contentType, ...headers } = request.headers;
    expect(headers).toEqual({ authorization: 'Bearer token', 'x-tenant-id': 'tenant' });
    const boundary = contentType!.split('boundary=')[1]!;
    expect(await request.body!.text()).toBe(
      [
        `--${boundary}\r\ncontent-disposition: form-data; name="description"\r\n\r\nx`,
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-`,
        `--${boundary}--\r\n`,
      ].join('\r\n'),
    );
    Object.assign(request, { status: 201, responseText: '{"id":"1"}' });
    request.onload?.();
    expect(await uploaded).toEqual({ id: '1', etag: '"1"' });
    expect(progress).toEqual([]);
  });

  test('an upload counts the bytes of the file in its progress, without those of the form', async () => {
    const { progress, request } = await begin();
    const size = request.body?.size ?? 0;
    const head = (await request.body!.text()).indexOf('%PDF-');
    for (const loaded of [10, head + 2, head + 5, size]) request.upload.onprogress?.({ loaded });
    expect(progress).toEqual([0, 2, 5, 5].map((loaded) => ({ loaded, total: 5 })));
  });

  test('an upload throws the problem of an error response, and an error when the connection breaks', async () => {
    const refused = await begin();
    Object.assign(refused.request, { status: 400, responseText: JSON.stringify(problem), type: 'application/problem+json' });
    refused.request.onload?.();
    await expect(refused.uploaded).rejects.toMatchObject({ code: 'FILE_REQUIRED', status: 400, problem });
    const broken = await begin();
    broken.request.onerror?.();
    await expect(broken.uploaded).rejects.toMatchObject({ code: 'CONNECTION_FAILED', status: undefined });
  });

  test('an upload whose connection breaks is repeated with the same idempotency key', async () => {
    const { uploaded, request } = await begin(undefined, 2);
    request.onerror?.();
    await vi.waitFor(() => expect(BrowserRequest.latest).not.toBe(request));
    await vi.waitFor(() => expect(BrowserRequest.latest.body).toBeDefined());
    const again = BrowserRequest.latest;
    Object.assign(again, { status: 201, responseText: '{"id":"1"}' });
    again.onload?.();
    expect(await uploaded).toMatchObject({ id: '1' });
    expect(request.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
    expect(again.headers['idempotency-key']).toBe(request.headers['idempotency-key']);
  });

  test('an upload with an invalid token or URL fails with CLIENT_ERROR, whose message has no secrets', async () => {
    vi.stubGlobal('XMLHttpRequest', BrowserRequest);
    for (const options of [
      { url: 'http://service', token: 'se\ncret' },
      { url: 'http://user:secret@service', token: 'token' },
    ]) {
      const failed = createProfileClient(options).attachments.upload(new Blob(['x']), {}, { onProgress: () => undefined });
      await expect(failed).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: expect.not.stringMatching(/se\s?cret/) });
    }
    // It was not opened.
    expect(BrowserRequest.latest.target).toBe('');
  });

  const fail = (): never => {
    throw new Error('no element');
  };

  test('an upload whose onProgress fails is aborted', async () => {
    const { uploaded, request } = await begin(undefined, 3, fail);
    request.upload.onprogress?.({ loaded: 1 });
    await expect(uploaded).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: 'no element' });
    expect(BrowserRequest.latest).toBe(request);
  });

  test('a signal aborts an upload', async () => {
    const abort = new AbortController();
    const { uploaded } = await begin(abort.signal);
    abort.abort(new Error('enough'));
    await expect(uploaded).rejects.toMatchObject({
      code: 'ABORTED',
      message: 'The call was aborted: enough',
      cause: { message: 'enough' },
    });
  });
});
