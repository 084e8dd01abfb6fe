import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClusterMetrics } from '../../src/cluster/metrics.ts';
import { parts } from '../../src/observability/health.ts';
import { alerts, panels, rules, runbooks } from '../support/observability-files.ts';
import { metricsOf, valuesOf } from '../support/promql.ts';
import { startWorld, type World } from '../support/world.ts';

/** Labels that Prometheus adds to every metric of a target. It would rename a label of the service with such a name to `exported_…`. */
const targetLabels = ['job', 'instance', 'namespace'];

const runbookQueries = runbooks.flatMap(({ name, text }) =>
  [...text.matchAll(/`([^`]*\b(?:profile|process|nodejs)_[^`]*)`/g)].map(([, expression = '']) => [name, expression] as const),
);

let world: World;
/** The labels of each metric in Prometheus. */
const stored = new Map<string, string[]>([['up', targetLabels]]);

beforeAll(async () => {
  world = await startWorld({ MANAGEMENT_PORT: '0' });
  // A database that is no replica shows the metrics of replicas too.
  const { managementUrl, metrics } = await world.another({ DATABASE_REPLICA_URL: world.databaseUrl });
  const labelsOf = new Map(
    metrics.registry.getMetricsAsArray().map((metric) => [metric.name, (metric as unknown as { labelNames: string[] }).labelNames]),
  );
  const cluster = await (await new ClusterMetrics().sum(new Map())).metrics();
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  for (const [, name = '', type] of `${text}\n${cluster}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const labels = labelsOf.get(name) ?? [];
    const suffixes = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const suffix of suffixes) stored.set(name + suffix, [...labels, ...targetLabels, ...(suffix === '_bucket' ? ['le'] : [])]);
  }
  for (const { record, expr } of rules) if (record) stored.set(record, metricsOf(expr)[0]!.labels);
});
afterAll(() => world.stop());

/** Metrics that the service does not expose, and labels that a metric does not have. */
function unknownIn(expression: string): string[] {
  return metricsOf(expression).flatMap(({ name, labels }) => {
    const known = stored.get(name);
    return known ? labels.filter((label) => !known.includes(label)).map((label) => `${name}{${label}}`) : [name];
  });
}

/** Labels of a text, such as `{{ $labels.instance }}` of an annotation or `{{instance}}` of a legend, that the first metric of the expression does not have. */
function unknownLabelsIn(text: string, expression: string): string[] {
  const named = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
  const [first] = metricsOf(expression);
  return named.filter((label) => !stored.get(first?.name ?? '')?.includes(label));
}

test('no metric has a label that Prometheus adds itself', () => {
  expect([...stored].filter(([, labels]) => new Set(labels).size < labels.length)).toEqual([]);
});

describe('the rules', () => {
  test.each(rules.map((rule) => [rule.alert ?? rule.record ?? '', rule.expr]))(
    '%s reads metrics and labels that exist',
    (_name, expression) => {
      expect(metricsOf(expression)).not.toEqual([]);
      expect(unknownIn(expression)).toEqual([]);
    },
  );

  test.each(alerts.map((alert) => [alert.alert, alert]))(
    '%s describes itself with labels that its metrics have',
    (_name, { expr, annotations }) => {
      expect(unknownLabelsIn(annotations.description, expr)).toEqual([]);
    },
  );

  test('leave out the operations that transfer files, and name health checks that exist', () => {
    const transfers = endpoints.filter(({ endpoint }) => endpoint.media !== 'json').map(({ name }) => name);
    expect(rules.flatMap(({ expr }) => valuesOf(expr, 'operation')).filter((name) => name !== 'check')).toEqual(transfers);
    expect(parts).toEqual(expect.arrayContaining(rules.flatMap(({ expr }) => valuesOf(expr, 'check'))));
  });
});

describe('the runbooks', () => {
  test.each(runbookQueries)('%s: %s reads metrics and labels that exist', (_page, expression) => {
    expect(unknownIn(expression)).toEqual([]);
  });
});

describe('the dashboard', () => {
  const queries = panels.flatMap(({ title, targets }) => targets.map((target) => [`${title}: ${target.legendFormat}`, target] as const));

  test.each(queries)('%s reads metrics and labels that exist', (_name, { expr, legendFormat }) => {
    expect(unknownIn(expr)).toEqual([]);
    expect(unknownLabelsIn(legendFormat, expr)).toEqual([]);
  });

  test.each(queries)('%s reads the chosen data source, jobs and instances', (_name, { expr, datasource }) => {
    expect(datasource.uid).toBe('$datasource');
    for (const { labels } of metricsOf(expr)) expect(labels).toEqual(expect.arrayContaining(['job', 'instance']));
  });

  test('shows every metric of the service', () => {
    const shown = new Set(
      panels.flatMap(({ targets }) =>
        targets.flatMap(({ expr }) => metricsOf(expr).map(({ name }) => name.replace(/_(bucket|count|sum)$/, ''))),
      ),
    );
    const own = [...stored.keys()].filter((name) => name.startsWith('profile_')).map((name) => name.replace(/_(bucket|count|sum)$/, ''));
    expect([...new Set(own)].filter((name) => !shown.has(name))).toEqual([]);
  });
});
