import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Response } from 'express';
import { expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { drained } from '../../src/transports/http/drained.ts';

// Rules: EXPORTS-7
test('a response that has closed is not waited for: its client has gone while the next part was made', { timeout: 10_000 }, async () => {
  const outcome = Promise.withResolvers<boolean>();
  const server = createServer((_request, response) => {
    response.write('part');
    void once(response, 'close').then(async () => outcome.resolve(await drained(response as Response, 1)));
  });
  const leave = new AbortController();
  const port = await listen(server);
  await fetch(`http://127.0.0.1:${port}`, { signal: leave.signal });
  leave.abort();
  expect(await outcome.promise).toBe(false);
  server.close();
});
