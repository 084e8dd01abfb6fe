import { createServer, type Server } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutboundBufferLimit } from '../../src/request/limits/outbound-buffer-limit.ts';
import { createLog } from '../../src/observability/log.ts';
import { createContext } from '../../src/transports/http/context.ts';
import { createErrorHandler } from '../../src/transports/http/errors.ts';
import { listen } from '../../src/transports/http/server.ts';

/** JSON cannot represent a BigInt, so the problem document cannot be encoded. */
const unsendable = new ProblemError('VALIDATION_FAILED', { errors: [{ path: 'x', message: 1n as unknown as string }] });

const lines: string[] = [];
let server: Server;
let url: string;
beforeAll(async () => {
  const log = createLog('error', { write: (line) => lines.push(line) });
  const app = express()
    .use(createContext(new OutboundBufferLimit({ maxBytes: 1_000, timeoutMs: 1_000, onRejected: () => undefined })))
    .use(() => Promise.reject(unsendable))
    .use(createErrorHandler('http://docs.example', log));
  server = createServer(app);
  url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
});
afterAll(() => server.close());

test('an error response that cannot be encoded closes the connection and is logged, and later requests are served', async () => {
  for (const requestId of ['first', 'second']) {
    await expect(fetch(url, { headers: { 'x-request-id': requestId } })).rejects.toThrow('fetch failed');
    const line = expect.stringMatching(new RegExp(`"requestId":"${requestId}".*BigInt.*"the response could not be sent"`));
    await expect.poll(() => lines.splice(0)).toEqual([line]);
  }
});
