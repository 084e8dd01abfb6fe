import type { Server } from 'node:http';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { listen } from '../../src/transports/http/server.ts';
import { createManagementServer } from '../../src/transports/management.ts';

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

test('a request on the management port that fails is 500 and logged', async () => {
  const lines: string[] = [];
  server = createManagementServer({
    registry: { contentType: Registry.PROMETHEUS_CONTENT_TYPE, metrics: () => Promise.reject(new Error('no metrics')) },
    health() {
      throw new Error('no health');
    },
    log: createLog('info', { write: (line) => lines.push((JSON.parse(line) as { err: { message: string } }).err.message) }),
  });
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  expect((await fetch(`${url}/metrics`)).status).toBe(500);
  expect((await fetch(`${url}/health/ready`)).status).toBe(500);
  expect(lines).toEqual(['no metrics', 'no health']);
});
