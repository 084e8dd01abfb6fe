import { endpoints, errors } from '@profile-service/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { jobs } from '../../src/jobs/index.ts';
import { parts } from '../../src/observability/health.ts';
import { alerts, documentedMetrics, panels, rules, runbooks } from '../support/observability-files.ts';
import { type Matcher, metricsOf, parseExpression, valuesOf } from '../support/promql.ts';
import { useWorld } from '../support/world.ts';

/** Labels that Prometheus adds to every metric of a target. It would rename a label of the service with such a name to `exported_…`. */
const targetLabels = ['job', 'instance', 'namespace'];

/** The parts of the runbooks that match, each after the name of its runbook. */
const inRunbooks = (pattern: RegExp) =>
  runbooks.flatMap(({ name, text }) => [...text.matchAll(pattern)].map(([, found = '']) => [name, found] as const));

const operations = endpoints.map(({ name }) => name);
const outcomes = ['ok', 'failed'];
/** The values of labels, by the metric without the suffix of a histogram. `any` is for all metrics. */
const values: Record<string, Record<string, readonly string[]>> = {
  any: { job: ['profile-service', '$job'], instance: ['$instance'] },
  profile_request_duration_seconds: { operation: operations, status: Object.values(errors).map(({ status }) => String(status)) },
  profile_dependency_request_duration_seconds: {
    operation: ['check', 'put', 'open', 'copy', 'remove', 'head', 'find', 'create', 'mail'],
    outcome: outcomes,
  },
  profile_job_duration_seconds: { job_name: jobs.map(({ name }) => name), outcome: outcomes },
  profile_caller_cache_lookups_total: { outcome: ['local', 'shared', 'miss'] },
  profile_rate_limited_total: { limit: ['address', 'caller', 'identity', 'tenant'] },
  profile_health_check_up: { check: parts },
};

const world = useWorld({ MANAGEMENT_PORT: '0' });
/** The labels of each metric in Prometheus, and of each recording rule. */
const stored = new Map<string, readonly string[]>([['up', targetLabels]]);

beforeAll(async () => {
  // A database that is no replica shows the metrics of replicas too.
  const { metrics } = await world.another({ DATABASE_REPLICA_URL: world.databaseUrl });
  for (const metric of metrics.registry.getMetricsAsArray()) {
    const { name, labelNames, type } = metric as unknown as { name: string; labelNames: string[]; type: string };
    const suffixes = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const suffix of suffixes) stored.set(name + suffix, [...labelNames, ...targetLabels, ...(suffix === '_bucket' ? ['le'] : [])]);
  }
  for (const { record, expr } of rules) if (record) stored.set(record, [...new Set(parseExpression(expr).grouped)]);
});

const familyOf = (name: string) => name.replace(/_(bucket|count|sum)$/, '');

/** What an expression names that does not exist: metrics, labels, and values of labels. @param text names labels of the expression too */
function unknownIn(expression: string, text = ''): string[] {
  const { metrics, grouped } = parseExpression(expression);
  const unknownMatchers = metrics.flatMap(({ name, matchers }) =>
    matchers.filter((matcher) => !isKnown(name, matcher)).map(({ label, value }) => `${name}{${label}="${value}"}`),
  );
  const unknownMetrics = metrics.map(({ name }) => name).filter((name) => !stored.has(name));
  const known = new Set(metrics.flatMap(({ name }) => stored.get(name) ?? []));
  const unknownLabels = [...grouped, ...labelsIn(text)].filter((label) => !known.has(label));
  return [...unknownMetrics, ...unknownMatchers, ...unknownLabels];
}

/** Labels of a text, such as `{{ $labels.instance }}` of an annotation or `{{instance}}` of a legend. */
const labelsIn = (text: string) => [...text.matchAll(/\{\{-?\s*(?:\$labels\.)?(\w+)/g)].map(([, label = '']) => label);

/** Whether each alternative of a matcher is a value that the label can have. */
function isKnown(metric: string, { label, operator, value }: Matcher): boolean {
  const isLabel = stored.get(metric)?.includes(label);
  const known = (isLabel && { ...values['any'], ...values[familyOf(metric)] }[label]) || [];
  return value
    .split('|')
    .every((alternative) =>
      known.some((each) => each === alternative || (operator.endsWith('~') && new RegExp(`^(?:${alternative})$`).test(each))),
    );
}

test('no metric has a label that Prometheus adds itself', () => {
  expect([...stored].filter(([, labels]) => new Set(labels).size < labels.length)).toEqual([]);
});

test('docs/run/operation.md lists every metric with its labels', () => {
  const own = [...stored].filter(([name]) => name.startsWith('profile_') && !/_(bucket|sum)$/.test(name));
  const labels = own.map(([name, all]) => [familyOf(name), all.filter((label) => !targetLabels.includes(label))] as const);
  expect(documentedMetrics).toEqual(Object.fromEntries(labels));
});

describe('the rules', () => {
  test.each(rules)('$alert$record reads metrics, labels and values that exist', ({ expr, annotations }) => {
    expect(metricsOf(expr)).not.toEqual([]);
    expect(unknownIn(expr, `${annotations?.summary} ${annotations?.description}`)).toEqual([]);
  });

  test('leave out all operations that transfer files', () => {
    const transfers = endpoints.filter(({ endpoint }) => endpoint.media !== 'json').map(({ name }) => name);
    const latency = alerts.find(({ alert }) => alert === 'ProfileLatencyHigh');
    expect(valuesOf(latency?.expr ?? '', 'operation')).toEqual(transfers);
  });
});

describe('the runbooks', () => {
  test.each(inRunbooks(/`([^`]*\b(?:profile|process|nodejs)_[^`]*)`/g))(
    '%s: %s reads metrics, labels and values that exist',
    (_page, expression) => {
      expect(unknownIn(expression)).toEqual([]);
    },
  );

  test.each(inRunbooks(/`(select [^`]+)`/g))('%s: PostgreSQL executes %s', async (_page, statement) => {
    // No process has the number 0.
    await expect(world.sql(statement.replace('<pid>', '0'))).resolves.toBeInstanceOf(Array);
  });
});

describe('the dashboard', () => {
  const queries = panels.flatMap(({ title, targets }) => targets.map((target) => [`${title}: ${target.legendFormat}`, target] as const));

  test.each(queries)('%s reads what exists, of the chosen data source, jobs and instances', (_name, { expr, legendFormat, datasource }) => {
    expect(unknownIn(expr, legendFormat)).toEqual([]);
    expect(datasource.uid).toBe('$datasource');
    for (const { matchers } of metricsOf(expr))
      expect(matchers.map(({ label }) => label)).toEqual(expect.arrayContaining(['job', 'instance']));
  });

  test('shows every metric of the service', () => {
    const shown = new Set(
      panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr).map(({ name }) => familyOf(name)))),
    );
    const own = [...stored.keys()].filter((name) => name.startsWith('profile_')).map(familyOf);
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });
});
