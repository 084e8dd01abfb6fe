import { beforeAll, beforeEach, expect, test } from 'vitest';
import { duringTests } from '../../../../../test/during-tests.ts';
import type { Api } from '../../support/api.ts';
import { form, pdf } from '../../support/files.ts';
import { useMember, useTenant } from '../../support/use-people.ts';
import { startProxy } from '../../../../../test/proxy.ts';
import { startStubS3 } from '../../../../../test/storage/stub-s3.ts';
import { useCollector } from '../../support/collector.ts';
import { createTracedLog, type TracedLine } from '../../support/traced-log.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const collector = useCollector();
const member = useMember(world, useTenant(world), 'tenant-admin');
const lines: TracedLine[] = [];

/** Starts a service with these settings, whose log the test can read. */
async function startTraced(more: Record<string, string> = {}) {
  const settings = { ...collector.settings, ...more };
  return world.another(settings, { log: createTracedLog(settings, lines) });
}

const api = duringTests(startTraced);
// Otherwise it would run jobs, without traces.
beforeAll(() => world.service.stop());
beforeEach(() => {
  lines.splice(0);
  collector.spans.splice(0);
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const get = (from: Api, headers: Record<string, string>) => from.call(world.global, 'GET /api/apps', undefined, headers);
const requestLine = async () => {
  await expect.poll(() => lines.filter(({ msg }) => msg === 'request')).toHaveLength(1);
  return lines.find(({ msg }) => msg === 'request');
};

test('the line of a failed job has the ids of the span of the run, which has failed with the code of the error', async () => {
  world.identity.faults.mail = 'refuse';
  await api.call(world.global, 'POST /api/users', world.newPerson());
  const job = () => collector.spans.find(({ name, status }) => name === 'password-mail' && status.code === 2);
  await expect.poll(job).toMatchObject({ attributes: { 'error.type': 'IDENTITY_PROVIDER_UNAVAILABLE' } });
  world.identity.faults.mail = 'none';
  const failed = () => lines.filter(({ msg }) => msg === 'job failed, will be retried');
  await expect.poll(failed).toMatchObject([{ trace_id: job()?.traceId, span_id: job()?.spanId }]);
});

test('a request continues the trace that its traceparent names', async () => {
  await get(api, { traceparent: `00-${traceId}-${parent}-01`, tracestate: 'vendor=value' });
  const request = await collector.trace('GET /api/apps');
  expect(request).toMatchObject({ traceId, parentSpanId: parent });
  expect(request).not.toHaveProperty('traceState');
  expect(request.children.every((span) => span.traceId === traceId)).toBe(true);
});

test.each([`00-${traceId}-${parent}`, `00-${'0'.repeat(32)}-${parent}-01`, `ff-${traceId}-${parent}-01`, 'traceparent'])(
  'a request with the invalid traceparent %s begins a trace',
  async (traceparent) => {
    await get(api, { traceparent });
    const request = await collector.trace('GET /api/apps');
    expect(request).not.toHaveProperty('parentSpanId');
    expect(request.traceId).not.toBe(traceId);
  },
);

test('a trace that the client does not sample is not exported, and its id is in the log', async () => {
  await get(api, { traceparent: `00-${traceId}-${parent}-00` });
  expect(await requestLine()).toMatchObject({ trace_id: traceId });
  await get(api, {});
  await collector.trace('GET /api/apps');
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test('OTEL_TRACES_SAMPLER selects the requests without traceparent that are exported', async () => {
  const never = await startTraced({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
  await get(never, {});
  await get(never, { traceparent: `00-${traceId}-${parent}-01` });
  await collector.trace('GET /api/apps');
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
});

test('a line about a failed call during a request has the id of its trace', async () => {
  const broken = await startTraced({ STORAGE_DIR: '/nowhere/files' });
  await broken.call(member, 'POST /api/attachments', form(['file', pdf()]));
  const { trace_id: id } = (await requestLine()) ?? {};
  const { traceId: exported } = await collector.trace('POST /api/attachments');
  expect(id).toBe(exported);
  expect(lines.filter(({ msg }) => msg === 'the object storage failed')).toMatchObject([{ trace_id: exported }, { trace_id: exported }]);
});

test('requests to the identity provider and the storage do not carry the trace', async () => {
  const s3 = await startStubS3();
  const { STORAGE_ENDPOINT: endpoint = '', ...rest } = s3.settings;
  const received = ['', ''];
  const record = (index: number) => ({ watch: () => (data: Buffer) => void (received[index] += data.toString('latin1')) });
  const proxies = await Promise.all([startProxy(world.identity.url, record(0)), startProxy(endpoint, record(1))]);
  const [identity, storage] = proxies;
  const traced = await startTraced({ ...rest, STORAGE_DIR: '', STORAGE_ENDPOINT: storage.url, IDENTITY_INTERNAL_URL: identity.url });
  await traced.call(world.global, 'POST /api/users', world.newPerson());
  await traced.call(member, 'POST /api/attachments', form(['file', pdf()]));
  for (const requests of received) {
    expect(requests).toMatch(/^[A-Z]+ \/\S* HTTP\/1\.1\r\n/);
    expect(requests).not.toMatch(/traceparent/i);
  }
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await s3.stop();
});
