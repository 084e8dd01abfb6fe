import { expect, test } from 'vitest';
import { createHealthPages } from '../../src/transports/pages/health-pages.ts';
import { ofKind } from './helm.ts';

test('the probes use pages and a port that exist', () => {
  const [{ spec }] = ofKind('Deployment', 'minimal');
  const [{ ports, startupProbe, livenessProbe, readinessProbe }] = spec.template.spec.containers;
  const pages = createHealthPages(() => ({ status: 'ok', checks: { database: 'ok', identity: 'ok', storage: 'ok', cache: 'ok' } }));
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect(Object.keys(pages)).toContain(httpGet.path);
    expect(ports.map(({ name }: { name: string }) => name)).toContain(httpGet.port);
  }
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
