import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { clientLimits, createHttpServer, listen } from '../../src/transports/http/server.ts';
import { createManagementServer } from '../../src/transports/management.ts';
import { openConnection } from './connection.ts';

const limits = clientLimits({ HTTP_HEADERS_TIMEOUT_SECONDS: 10, HTTP_REQUEST_TIMEOUT_SECONDS: 60, HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: 65 });
const get = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';
const chunked = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Everything that Node's parser rejects. */
const rejected: readonly (readonly [what: string, text: string])[] = [
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000'],
  ['a head of 20 kB', `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['an invalid chunk', `${chunked}zz\r\n`],
];

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

async function start(created: Server): Promise<number> {
  server = created;
  return listen(created, 0, '127.0.0.1');
}

const startMain = (listener: RequestListener) => start(createHttpServer(listener, 'http://docs.example', limits));

describe('while a response is being sent, only closes the connection:', () => {
  const bodyBytes = 20 * 1024 * 1024;
  const chunk = Buffer.alloc(65_536, 'x');
  const download: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': bodyBytes });
    pipeline(Readable.from(Array.from({ length: bodyBytes / chunk.length }, () => chunk)), response).catch(() => undefined);
  };

  test.each(rejected)('%s', async (_what, text) => {
    const port = await startMain(download);
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const received: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.write(get);
    await once(socket, 'readable');
    socket.write(text);
    socket.on('data', (data: Buffer) => received.push(data));
    await closed;
    const all = Buffer.concat(received).toString();
    const body = all.slice(all.indexOf('\r\n\r\n') + 4);
    expect(body.replaceAll('x', '')).toBe('');
    expect(body.length).toBeLessThan(bodyBytes);
  });
});

describe('while a response is pending, only closes the connection:', () => {
  /** Sends requests and, when the server has received them, the text. Expects the end of the connection without a response. */
  async function expectClosed(port: number, requests: string, isReceived: () => boolean, text: string): Promise<void> {
    const { socket, closed, until } = await openConnection(port);
    socket.write(requests);
    while (!isReceived()) await setImmediate();
    socket.write(text);
    await closed;
    expect(await until('')).toBe('');
  }

  test.each(rejected)('%s', async (_what, text) => {
    let aborted = false;
    let requests = 0;
    const port = await startMain((request, response) => {
      requests += 1;
      request.resume();
      response.once('close', () => (aborted = true));
    });
    await expectClosed(port, get, () => requests === 1, text);
    expect(aborted).toBe(true);
  });

  test('two pipelined requests, of which the second has an invalid chunk', async () => {
    let requests = 0;
    const port = await startMain((request) => {
      requests += 1;
      request.resume().on('error', () => undefined);
    });
    await expectClosed(port, get + chunked, () => requests === 2, 'zz\r\n');
  });
});

describe('responds with 400 and closes the connection:', () => {
  test.each(rejected)('after a completed response, %s', async (_what, text) => {
    const port = await startMain((request, response) => {
      request.resume().on('error', () => undefined);
      if (request.method === 'GET') response.end('first');
    });
    const { socket, closed, until } = await openConnection(port);
    socket.write(get);
    await until('first');
    socket.write(text);
    await closed;
    expect((await until('')).split('first')[1]).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});

describe('the management port', () => {
  const startManagement = (metrics: () => Promise<string>, log = createLog('silent')) => {
    const health = () => {
      throw new Error('no health');
    };
    return start(createManagementServer({ registry: { contentType: Registry.PROMETHEUS_CONTENT_TYPE, metrics }, health, log }));
  };

  test.each(rejected.filter(([, text]) => !text.startsWith(chunked)))(
    'responds with 400 only if no response is pending: %s',
    async (_what, text) => {
      const port = await startManagement(() => new Promise(() => undefined));
      const [idle, pending] = [await openConnection(port), await openConnection(port)];
      pending.socket.write(get);
      idle.socket.write(text);
      await idle.closed;
      pending.socket.write(text);
      await pending.closed;
      expect(await idle.until('')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(await pending.until('')).toBe('');
    },
  );

  test('responds with 500 to a request that fails, and logs it', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push((JSON.parse(line) as { err: { message: string } }).err.message) });
    const url = `http://127.0.0.1:${await startManagement(() => Promise.reject(new Error('no metrics')), log)}`;
    for (const path of ['/metrics', '/health/ready']) expect((await fetch(url + path)).status).toBe(500);
    expect(lines).toEqual(['no metrics', 'no health']);
  });
});

test('100 Continue waits for the response before it', async () => {
  const responses: (() => void)[] = [];
  const port = await startMain((request, response) => {
    request.resume();
    responses.push(() => response.end(request.method));
  });
  const { socket, until } = await openConnection(port);
  socket.write(`${get}POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`);
  while (responses.length < 2) await setImmediate();
  for (const send of responses) send();
  const statuses = (await until('POST')).match(/HTTP\/1\.1 \d+/g);
  expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 100', 'HTTP/1.1 200']);
  socket.destroy();
});

test('CONNECT closes the connection without a response', async () => {
  const port = await startMain(() => undefined);
  const { socket, closed, until } = await openConnection(port);
  socket.write('CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await closed;
  expect(await until('')).toBe('');
});
