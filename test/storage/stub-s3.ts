import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export interface StubS3 {
  /** Settings with which the service uses it instead of a folder. */
  settings: Record<string, string>;
  objects: Map<string, Buffer>;
  /** How long a copy takes, in milliseconds. */
  copyMs: number;
  /** Keys of multipart uploads that have begun and are neither complete nor aborted. */
  openUploads(): string[];
  /** Closes every connection and accepts no new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  stop(): Promise<void>;
}

interface MultipartUpload {
  key: string;
  parts: Map<number, Buffer>;
}

const bucket = 'stub';

/**
 * Starts an in-memory S3 server with the operations that the service uses to store, read, copy and remove objects. A test can make it fail.
 * It does not check signatures. `npm run proof -- storage` tests the storage on a real gateway.
 */
export async function startStubS3(): Promise<StubS3> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, MultipartUpload>();
  let isCut = false;
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.on('connection', (socket) => isCut && socket.destroy());

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
    const key = decodeURIComponent(pathname).slice(`/${bucket}/`.length);
    const uploadId = searchParams.get('uploadId');
    if (searchParams.has('uploads')) return begin(key, response);
    if (uploadId !== null) return toUpload(uploadId, request, Number(searchParams.get('partNumber')), response);
    if (request.method === 'PUT') return store(key, request, response);
    if (request.method === 'DELETE') {
      objects.delete(key);
      return send(response, 204);
    }
    const object = key === '' ? Buffer.alloc(0) : objects.get(key);
    if (!object) return send(response, 404, '<Error><Code>NoSuchKey</Code></Error>');
    if (request.method === 'HEAD') return send(response, 200);
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    return end === undefined ? send(response, 200, object) : send(response, 206, object.subarray(Number(start), Number(end) + 1));
  }

  function begin(key: string, response: ServerResponse): void {
    const id = randomUUID();
    uploads.set(id, { key, parts: new Map() });
    send(response, 200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  async function toUpload(id: string, request: IncomingMessage, part: number, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const upload = uploads.get(id);
    if (!upload) return send(response, 404, '<Error><Code>NoSuchUpload</Code></Error>');
    if (request.method === 'PUT') {
      upload.parts.set(part, body);
      return send(response.setHeader('etag', `"${part}"`), 200);
    }
    uploads.delete(id);
    if (request.method === 'DELETE') return send(response, 204);
    const parts = [...upload.parts].toSorted(([one], [other]) => one - other);
    objects.set(upload.key, Buffer.concat(parts.map(([, bytes]) => bytes)));
    send(response, 200, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }

  async function store(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const source = request.headers['x-amz-copy-source'];
    const copied = typeof source === 'string' ? objects.get(decodeURIComponent(source).slice(`${bucket}/`.length)) : body;
    if (source !== undefined) await pause(stub.copyMs);
    if (!copied) return send(response, 404, '<Error><Code>NoSuchKey</Code></Error>');
    objects.set(key, copied);
    send(response, 200, source === undefined ? '' : '<CopyObjectResult><ETag>"copy"</ETag></CopyObjectResult>');
  }

  function cut(): void {
    isCut = true;
    server.closeAllConnections();
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stub: StubS3 = {
    copyMs: 0,
    settings: {
      STORAGE_DIR: '',
      STORAGE_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      STORAGE_BUCKET: bucket,
      STORAGE_ACCESS_KEY_ID: 'stub',
      STORAGE_SECRET_ACCESS_KEY: 'stub-secret',
    },
    objects,
    openUploads: () => [...uploads.values()].map(({ key }) => key),
    cut,
    restore: () => (isCut = false),
    async stop() {
      cut();
      await once(server.close(), 'close');
    },
  };
  return stub;
}

function send(response: ServerResponse, status: number, body: string | Buffer = ''): void {
  if (typeof body === 'string' && body !== '') response.setHeader('content-type', 'application/xml');
  // With `writeHead` the response would have no Content-Length.
  response.statusCode = status;
  response.end(body);
}
