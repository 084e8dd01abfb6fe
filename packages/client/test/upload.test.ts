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

async function clientOf(answer: RequestListener) {
  server = createServer(answer);
  await once(server.listen(0), 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  return createProfileClient({ url, token: () => 'token', tenantId: () => 'tenant' });
}

/** What a browser has: a request that tells of its upload. */
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
  getResponseHeader() {
    return this.type;
  }
}

describe('in a browser', () => {
  async function begin(signal?: AbortSignal) {
    vi.stubGlobal('XMLHttpRequest', BrowserRequest);
    const client = createProfileClient({ url: 'http://service', token: async () => 'token', tenantId: () => 'tenant' });
    const progress: Progress[] = [];
    const options = { onProgress: (now: Progress) => progress.push(now), ...(signal ? { signal } : {}) };
    const before = BrowserRequest.latest;
    const uploaded = client.attachments.upload(new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' }), { description: 'x' }, options);
    uploaded.catch(() => undefined);
    await vi.waitFor(() => expect(BrowserRequest.latest).not.toBe(before));
    await vi.waitFor(() => expect(BrowserRequest.latest.body).toBeDefined());
    return { uploaded, progress, request: BrowserRequest.latest };
  }

  test('an upload tells of its progress by the request of the browser', async () => {
    const { uploaded, progress, request } = await begin();
    expect(request.target).toBe('POST http://service/api/attachments');
    expect(request.headers).toEqual({ authorization: 'Bearer token', 'x-tenant-id': 'tenant' });
    expect([...(request.body?.keys() ?? [])]).toEqual(['description', 'file']);
    request.upload.onprogress?.({ loaded: 10, total: 100, lengthComputable: true });
    request.upload.onprogress?.({ loaded: 20, total: 0, lengthComputable: false });
    expect(progress).toEqual([{ loaded: 10, total: 100 }, { loaded: 20 }]);
    Object.assign(request, { status: 201, responseText: '{"id":"1"}' });
    request.onload?.();
    expect(await uploaded).toEqual({ id: '1' });
  });

  test('a refusal is its problem, a broken connection an error', async () => {
    const refused = await begin();
    Object.assign(refused.request, { status: 400, responseText: JSON.stringify(problem), type: 'application/problem+json' });
    refused.request.onload?.();
    await expect(refused.uploaded).rejects.toMatchObject({ status: 400, problem });
    const broken = await begin();
    broken.request.onerror?.();
    await expect(broken.uploaded).rejects.toThrow('out of reach');
  });

  test('a signal ends it', async () => {
    const abort = new AbortController();
    const { uploaded } = await begin(abort.signal);
    abort.abort(new Error('enough'));
    await expect(uploaded).rejects.toThrow('enough');
  });
});

describe('an answer that is not the service’s own', () => {
  const byProxy: RequestListener = (request: IncomingMessage, response) => {
    request.resume();
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  };

  test.each([
    ['an upload', async (client: Awaited<ReturnType<typeof clientOf>>) => await client.attachments.upload(new Blob(['x']))],
    ['a download', async (client: Awaited<ReturnType<typeof clientOf>>) => await client.attachments.download('1')],
  ])('ends %s with its status', async (_what, transfer) => {
    const client = await clientOf(byProxy);
    await expect(transfer(client)).rejects.toMatchObject({ status: 502, problem: undefined, message: 'The service answered 502' });
  });
});
