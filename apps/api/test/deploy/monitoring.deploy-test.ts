import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { objects, ofKind, root, runProgram } from './helm.ts';

const text = (path: string) => readFileSync(join(root, 'deploy/observability', path), 'utf8');

test('the ServiceMonitor selects the management Service and its port', () => {
  const [{ spec }] = ofKind('ServiceMonitor', 'everything');
  const selected = ofKind('Service', 'everything').filter(({ metadata }) =>
    Object.entries(spec.selector.matchLabels as Record<string, string>).every(([label, value]) => metadata.labels[label] === value),
  );
  expect(selected.map(({ metadata }) => metadata.name)).toEqual(['profiles-management']);
  expect(spec.endpoints).toEqual([{ port: 'management', path: '/metrics', interval: '30s', scrapeTimeout: '10s' }]);
  expect(selected[0].spec.ports.map(({ name }: { name: string }) => name)).toEqual(['management']);
  expect(selected[0].metadata.labels[spec.jobLabel]).toBe('profile-service');
});

test('the PrometheusRule has the groups of all rule files, with links to the runbooks', () => {
  const files = globSync('rules/*.yaml', { cwd: join(root, 'deploy/observability') }).toSorted();
  const groups = files.flatMap((file) => (parse(text(file)) as { groups: unknown[] }).groups);
  const expected = JSON.stringify(groups).replaceAll('https://runbooks.example.com', 'https://docs.example.com/run/runbooks.md');
  expect(ofKind('PrometheusRule', 'everything')[0].spec.groups).toEqual(JSON.parse(expected));
});

test('the ConfigMap of the dashboard has its file', () => {
  const dashboard = objects('everything').find(({ metadata }) => metadata.name === 'profiles-dashboard');
  expect(dashboard).toMatchObject({ kind: 'ConfigMap', metadata: { labels: { grafana_dashboard: '1' } } });
  expect(dashboard.data['profile-service.json']).toBe(text('dashboard.json'));
});

test('without the Prometheus Operator, the chart creates none of its objects', () => {
  const versions = objects('minimal').map(({ apiVersion }) => apiVersion);
  expect(versions).not.toContain('monitoring.coreos.com/v1');
});

test.each([
  ['accepts', 'check', 'rules/*.yaml'],
  ['passes the tests of', 'test', 'tests/*.yaml'],
])('promtool %s the rule files: %s rules %s', (_what, command, pattern) => {
  const files = globSync(`deploy/observability/${pattern}`, { cwd: root });
  expect(files.length).toBeGreaterThan(0);
  const { ok, stdout, stderr } = runProgram(process.env['PROMTOOL'] ?? 'promtool', [command, 'rules', ...files]);
  expect({ ok, stderr, stdout }).toEqual({ ok: true, stderr: '', stdout: expect.stringContaining('SUCCESS') });
});
