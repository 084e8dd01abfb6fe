import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createProfileClient, type Progress } from '../src/index.ts';

const problem = { code: 'FILE_REQUIRED', detail: 'The upload has no file.', status: 400 };
let server: Server | undefined;
afterEach(() => {
  server?.close();
  vi.unstubAllGlobals();
});

async function clientOf(listener: RequestListener) {
  server = createServer(listener);
  await once(server.listen(0), 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  return createProfileClient({ url, token: () => 'token', tenantId: () => 'tenant' });
}

/** A stand-in for XMLHttpRequest. The test fires its events. */
class BrowserRequest {
  static latest: BrowserRequest;
  readonly headers: Record<string, string> = {};
  readonly upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  target = '';
  body: FormData | undefined;
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
  send(body: FormData) {
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
  async function begin(signal?: AbortSignal, maxAttempts = 1) {
    vi.stubGlobal('XMLHttpRequest', BrowserRequest);
    const client = createProfileClient({ url: 'http://service', token: async () => 'token', tenantId: () => 'tenant', maxAttempts });
    const progress: Progress[] = [];
    const options = { onProgress: (now: Progress) => progress.push(now), ...(signal ? { signal } : {}) };
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
    expect(request.headers).toEqual({ authorization: 'Bearer token', 'x-tenant-id': 'tenant' });
    expect([...(request.body?.keys() ?? [])]).toEqual(['description', 'file']);
    request.upload.onprogress?.({ loaded: 10, total: 100, lengthComputable: true });
    request.upload.onprogress?.({ loaded: 20, total: 0, lengthComputable: false });
    expect(progress).toEqual([{ loaded: 10, total: 100 }, { loaded: 20 }]);
    Object.assign(request, { status: 201, responseText: '{"id":"1"}' });
    request.onload?.();
    expect(await uploaded).toEqual({ id: '1', etag: '"1"' });
  });

  test('an upload throws the problem of an error response, and an error when the connection breaks', async () => {
    const refused = await begin();
    Object.assign(refused.request, { status: 400, responseText: JSON.stringify(problem), type: 'application/problem+json' });
    refused.request.onload?.();
    await expect(refused.uploaded).rejects.toMatchObject({ status: 400, problem });
    const broken = await begin();
    broken.request.onerror?.();
    await expect(broken.uploaded).rejects.toThrow('unreachable');
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

  test('a signal aborts an upload', async () => {
    const abort = new AbortController();
    const { uploaded } = await begin(abort.signal);
    abort.abort(new Error('enough'));
    await expect(uploaded).rejects.toThrow('enough');
  });
});

describe('an error response of a proxy', () => {
  const badGateway: RequestListener = (request: IncomingMessage, response) => {
    request.resume();
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  };

  test.each([
    ['an upload', async (client: Awaited<ReturnType<typeof clientOf>>) => await client.attachments.upload(new Blob(['x']))],
    ['a download', async (client: Awaited<ReturnType<typeof clientOf>>) => await client.attachments.download('1')],
  ])('fails %s with its status and without a problem', async (_what, transfer) => {
    const client = await clientOf(badGateway);
    await expect(transfer(client)).rejects.toMatchObject({
      status: 502,
      problem: undefined,
      message: 'The service responded with status 502',
    });
  });
});
