import { endpoints, errors } from '@profile-service/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { jobs } from '../../src/jobs/index.ts';
import { parts } from '../../src/observability/health.ts';
import { upload } from '../support/files.ts';
import { metricOf } from '../support/metrics.ts';
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
  profile_webhook_attempts_total: { outcome: ['delivered', 'retried', 'failed'] },
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

  test('leave out all operations that transfer files or stream', () => {
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

/** How much the samples with these labels grow. @param labels in the order of the metric */
async function growthOf(name: string, labels: Record<string, string>, what: () => Promise<unknown>): Promise<number> {
  const text = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const value = () => metricOf(world.service, name, new RegExp(text.join('.*')));
  const before = await value();
  await what();
  return (await value()) - before;
}

test.each<[operation: string, status: string, what: () => Promise<unknown>]>([
  ['customers.list', '200', () => world.call(world.global, 'GET /api/customers')],
  ['customers.list', '200', () => world.client(world.global).customers.list.query()],
  ['customers.list', '401', () => world.call({}, 'GET /api/customers')],
  ['customers.get', '400', () => world.call(world.global, 'GET /api/customers/1')],
  ['apps.create', '201', () => world.create('POST /api/apps', { name: 'Counted' })],
])('requests are counted by operation and status, over REST and tRPC: %s, %s', async (operation, status, what) => {
  expect(await growthOf('profile_request_duration_seconds_count', { operation, status }, what)).toBe(1);
});

test('look-ups of callers are counted by where they were found', async () => {
  const person = await world.person();
  const ask = () => world.call(person, 'GET /api/me/tenants');
  expect(await growthOf('profile_caller_cache_lookups_total', { outcome: 'miss' }, ask)).toBe(1);
  // The notification of the person's creation may still arrive and invalidate the cache again.
  await expect.poll(() => growthOf('profile_caller_cache_lookups_total', { outcome: 'local' }, ask)).toBe(1);
});

test('calls to the identity provider and the storage are counted by outcome', async () => {
  const name = 'profile_dependency_request_duration_seconds_count';
  const find = { dependency: 'identity', operation: 'find' };
  expect(await growthOf(name, { ...find, outcome: 'ok' }, () => world.person())).toBe(1);
  world.identity.faults.admin = '500';
  const fail = () => world.call(world.global, 'POST /api/users', world.newPerson());
  expect(await growthOf(name, { ...find, outcome: 'failed' }, fail)).toBe(1);
  world.identity.faults.admin = 'none';
  expect(await growthOf(name, { dependency: 'storage', operation: 'put', outcome: 'ok' }, () => upload(world, world.global))).toBe(1);
});

test('the database pool shows its connections', async () => {
  const connections = (state: string) => metricOf(world.service, 'profile_database_pool_connections', new RegExp(`state="${state}"`));
  // The health check and the jobs use a connection now and then.
  await expect.poll(() => connections('busy')).toBe(0);
  await expect.poll(() => connections('idle')).toBeGreaterThan(0);
  expect(await metricOf(world.service, 'profile_database_pool_waiting_requests')).toBe(0);
});

test('the management port exists only if it is set, and serves no operation, and the public port has no metrics', async () => {
  const { managementUrl, call } = await world.another({ MANAGEMENT_PORT: '' });
  expect(managementUrl).toBeUndefined();
  expect((await call(world.global, 'GET /metrics')).code).toBe('ROUTE_NOT_FOUND');
  for (const path of ['/api/customers', '/trpc/customers.list', '/docs'])
    expect((await fetch(`${world.service.managementUrl}${path}`)).status).toBe(404);
});
