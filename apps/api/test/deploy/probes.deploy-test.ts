import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { listen } from '../../src/transports/http/server.ts';
import { createManagementServer } from '../../src/transports/management.ts';
import { ofKind } from './helm.ts';

test('the probes use pages and a port that exist', async () => {
  const [{ spec }] = ofKind('Deployment', 'minimal');
  const [{ ports, startupProbe, livenessProbe, readinessProbe }] = spec.template.spec.containers;
  const checks = { database: 'ok', identity: 'ok', storage: 'ok', cache: 'ok' } as const;
  const server = createManagementServer({
    registry: new Registry(),
    health: () => ({ status: 'ok', checks, reasons: {} }),
    log: createLog('silent'),
  });
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect((await fetch(url + httpGet.path)).status).toBe(200);
    expect(ports.map(({ name }: { name: string }) => name)).toContain(httpGet.port);
  }
  server.close().closeAllConnections();
  expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
    '/health/live',
    '/health/live',
    '/health/ready',
  ]);
});

test('the programs of the jobs are in the build', async () => {
  const { default: config } = (await import('../../tsdown.config.ts')) as {
    default: { entry: Record<string, string> | string[] };
  };
  const programs = Object.keys(config.entry).map((name) => `dist/${name}.js`);
  for (const { spec } of ofKind('Job', 'minimal')) expect(programs).toContain(spec.template.spec.containers[0].command[1]);
});
