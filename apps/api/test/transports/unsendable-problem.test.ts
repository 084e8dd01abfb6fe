import { createServer, type Server } from 'node:http';
import { ProblemError } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutboundBufferLimit } from '../../src/request/limits/outbound-buffer-limit.ts';
import { createLog } from '../../src/observability/log.ts';
import { createListener } from '../../src/transports/http/listener.ts';
import { listen } from '../../src/transports/http/server.ts';

/** JSON cannot represent a BigInt, so the problem document cannot be encoded. */
const unsendable = new ProblemError('VALIDATION_FAILED', { errors: [{ path: 'x', message: 1n as unknown as string }] });

const lines: string[] = [];
let server: Server;
let url: string;
beforeAll(async () => {
  const listener = createListener({
    trpc: () => Promise.resolve(),
    rest: () => Promise.reject(unsendable),
    pages: () => false,
    limitAddress: () => undefined,
    outboundBuffer: new OutboundBufferLimit({ maxBytes: 1_000, timeoutMs: 1_000, onRefused: () => undefined }),
    cors: (_exchange, next) => next(),
    docsBase: 'http://docs.example',
    log: createLog('error', { write: (line) => lines.push(line) }),
  });
  server = createServer(listener);
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
