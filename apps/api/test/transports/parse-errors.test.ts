import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { Problem, ProblemError } from '@profile-service/contracts';
import express from 'express';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { OutboundBufferLimit } from '../../src/request/limits/outbound-buffer-limit.ts';
import { createContext } from '../../src/transports/http/context.ts';
import { createErrorHandler } from '../../src/transports/http/errors.ts';
import { clientLimits, createHttpServer, listen } from '../../src/transports/http/server.ts';
import { createManagementServer } from '../../src/transports/management.ts';
import { recordLog } from '../support/recorded-log.ts';
import { headOf, openConnection } from './connection.ts';

const limits = clientLimits({ HTTP_HEADERS_TIMEOUT_SECONDS: 10, HTTP_REQUEST_TIMEOUT_SECONDS: 60, HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: 65 });
const get = headOf('GET /metrics');
const chunked = headOf('POST /', {}, 'Transfer-Encoding: chunked');

/** Everything that Node's parser rejects, and too many chunks. */
const rejected: readonly (readonly [what: string, text: string])[] = [
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000'],
  ['a header without colon', headOf('GET /', {}, 'no header')],
  ['a head of 20 kB', headOf('GET /', {}, `X-Long: ${'x'.repeat(20_000)}`)],
  ['1,001 headers', headOf('GET /', {}, ...Array.from({ length: 1_000 }, () => 'a:'))],
  ['two lengths', headOf('POST /', {}, 'Content-Length: 1', 'Transfer-Encoding: chunked')],
  ['an invalid chunk', `${chunked}zz\r\n`],
  ['many small chunks', `${chunked}${'1\r\n \r\n'.repeat(1_100)}`],
];

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

async function start(created: Server): Promise<number> {
  server = created;
  return listen(created, 0, '127.0.0.1');
}

const startMain = (listener: RequestListener) => start(createHttpServer(listener, 'http://docs.example', limits));

describe.each(rejected)('only closes the connection: %s', (_what, text) => {
  test('while a response is being sent', async () => {
    const bodyBytes = 20 * 1024 * 1024;
    const chunk = Buffer.alloc(65_536, 'x');
    const port = await startMain((_request, response) => {
      response.writeHead(200, { 'content-length': bodyBytes });
      pipeline(Readable.from(Array.from({ length: bodyBytes / chunk.length }, () => chunk)), response).catch(() => undefined);
    });
    const { socket, closed, until } = await openConnection(port);
    socket.write(get);
    await until('\r\n\r\n');
    socket.pause().write(text, () => socket.resume());
    await closed;
    const [, body = ''] = (await until('')).split('\r\n\r\n');
    expect(body.replaceAll('x', '')).toBe('');
    expect(body.length).toBeLessThan(bodyBytes);
  });

  test('while a response is pending', async () => {
    let aborted = false;
    const requests: IncomingMessage[] = [];
    const port = await startMain((request, response) => {
      requests.push(request.resume());
      response.once('close', () => (aborted = true));
    });
    await expectClosed(port, get, () => requests.length === 1, text);
    expect(aborted).toBe(true);
  });
});

/** Sends requests and, when the server has received them, the text. Expects the end of the connection without a response. */
async function expectClosed(port: number, requests: string, isReceived: () => boolean, text: string): Promise<void> {
  const { socket, closed, until } = await openConnection(port);
  socket.write(requests);
  while (!isReceived()) await setImmediate();
  socket.write(text);
  await closed;
  expect(await until('')).toBe('');
}

test('two pipelined requests, of which the second has an invalid chunk, only close the connection', async () => {
  let requests = 0;
  const port = await startMain((request) => {
    requests += 1;
    request.resume().on('error', () => undefined);
  });
  await expectClosed(port, get + chunked, () => requests === 2, 'zz\r\n');
});

test('an invalid chunk of a request that has its response only closes the connection', async () => {
  const port = await startMain((_request, response) => response.end('first'));
  const { socket, closed, until } = await openConnection(port);
  socket.write(chunked);
  await until('first');
  socket.write('zz\r\n');
  await closed;
  expect((await until('')).split('first')[1]).toBe('');
});

// Rules: ERRORS-1
test.each(rejected)('after a completed response, responds with a problem document and closes the connection: %s', async (_what, text) => {
  const port = await startMain((request, response) => {
    request.resume().on('error', () => undefined);
    if (request.method === 'GET') response.end('first');
  });
  const { socket, closed, until } = await openConnection(port);
  socket.write(get);
  await until('first');
  socket.write(text);
  await closed;
  const [head = '', body = ''] = (await until('')).split('first')[1]?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const problem = Problem.strict().parse(JSON.parse(body));
  expect(problem).toMatchObject({ type: 'http://docs.example/errors#VALIDATION_FAILED', status: 400, code: 'VALIDATION_FAILED' });
  for (const header of ['content-type: application/problem+json', 'x-content-type-options: nosniff', `x-request-id: ${problem.instance}`])
    expect(head.toLowerCase()).toContain(header);
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
    const { log, lines } = recordLog();
    const url = `http://127.0.0.1:${await startManagement(() => Promise.reject(new Error('no metrics')), log)}`;
    for (const path of ['/metrics', '/health/ready']) expect((await fetch(url + path)).status).toBe(500);
    expect(lines()).toMatchObject([{ err: { message: 'no metrics' } }, { err: { message: 'no health' } }]);
  });
});

test.each([
  ['is sent after the response before it', '100 Continue', ['200', '100', '200']],
  ['is not sent after its own response', '', ['200', '200']],
])('100 Continue %s', async (_what, awaited, expected) => {
  const responses: (() => void)[] = [];
  const port = await startMain((request, response) => {
    request.resume();
    responses.push(() => response.end(Buffer.from(String(request.method))));
  });
  const { socket, until } = await openConnection(port);
  socket.write(`${get}${headOf('POST /', {}, 'Expect: 100-continue', 'Content-Length: 2')}{}`);
  while (responses.length < 2) await setImmediate();
  responses[0]?.();
  if (awaited) await until(awaited);
  responses[1]?.();
  const received = await until('POST');
  expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(expected);
  expect(received).toMatch(/\r\n\r\nPOST$/);
  socket.destroy();
});

test('CONNECT closes the connection without a response', async () => {
  await expectClosed(await startMain(() => undefined), '', () => true, headOf('CONNECT localhost:80'));
});

test('an error response that cannot be encoded closes the connection and is logged, and later requests are served', async () => {
  // JSON cannot represent a BigInt.
  const unsendable = new ProblemError('VALIDATION_FAILED', { errors: [{ path: 'x', message: 1n as unknown as string }] });
  const { log, text, clear } = recordLog('error');
  const buffer = new OutboundBufferLimit({ maxBytes: 1_000, timeoutMs: 1_000, onRejected: () => undefined });
  const app = express().use(createContext(buffer), () => Promise.reject(unsendable), createErrorHandler('http://docs.example', log));
  const url = `http://127.0.0.1:${await startMain(app)}`;
  for (const requestId of ['first', 'second']) {
    await expect(fetch(url, { headers: { 'x-request-id': requestId } })).rejects.toThrow('fetch failed');
    await expect.poll(text).toMatch(new RegExp(`"requestId":"${requestId}".*BigInt.*"the response could not be sent"`));
    clear();
  }
});
