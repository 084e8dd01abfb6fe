import { expect, test } from 'vitest';
import { freePort } from '../../../../../test/free-port.ts';
import { createApi } from '../../support/api.ts';
import { startCollector } from '../../support/collector.ts';
import { startProcess } from '../../support/process.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

/** Sends this many requests. */
const sendRequests = async (url: string, count: number): Promise<void> => {
  const { call } = createApi(url);
  for (let sent = 0; sent < count; sent += 1) expect((await call(world.global, 'GET /api/apps')).status).toBe(200);
};

test('without a receiver, requests succeed, and the log says once that traces are lost and once that they arrive again', async () => {
  const port = await freePort();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_TIMEOUT: '100' };
  const service = await startProcess({ ...world.environment, ...settings, OTEL_BSP_SCHEDULE_DELAY: '20' });
  const messages = () => service.log.map(({ msg }) => msg).filter((msg) => msg.startsWith('traces'));
  await sendRequests(service.url, 1);
  await expect.poll(messages, { timeout: 10_000 }).toEqual(['traces cannot be exported: check OTEL_EXPORTER_OTLP_ENDPOINT']);
  await sendRequests(service.url, 2);
  const collector = await startCollector(port);
  await sendRequests(service.url, 1);
  await expect.poll(messages, { timeout: 10_000 }).toHaveLength(2);
  expect(messages().at(-1)).toBe('traces are exported again');
  expect(await service.stop()).toBe(0);
  await collector.stop();
  // The timer of the export starts during a request, whose ids the lines must not have.
  expect(service.log.filter((line) => line.msg.startsWith('traces') && 'trace_id' in line)).toEqual([]);
});

test('a receiver that does not respond delays no request, and at most OTEL_BSP_MAX_QUEUE_SIZE spans wait for it', async () => {
  const collector = await startCollector();
  const resume = collector.pause();
  const queueSize = 512;
  const service = await world.another({ ...collector.settings, OTEL_BSP_MAX_QUEUE_SIZE: String(queueSize) });
  await sendRequests(service.url, 100);
  resume();
  await service.stop();
  // Of about 1,500 spans, one batch of at most 512 was on its way, and the queue was full.
  expect(collector.spans.length).toBeGreaterThanOrEqual(queueSize);
  expect(collector.spans.length).toBeLessThanOrEqual(2 * queueSize);
  await collector.stop();
});

test('a stop exports the spans that wait, and does not wait long for a receiver that does not respond', async () => {
  const collector = await startCollector();
  const waiting = { ...collector.settings, OTEL_BSP_SCHEDULE_DELAY: '600000' };
  const stopped = await world.another(waiting);
  await sendRequests(stopped.url, 1);
  expect(collector.spans).toEqual([]);
  await stopped.stop();
  expect(collector.spans.map(({ name }) => name)).toContain('GET /api/apps');

  const resume = collector.pause();
  const service = await startProcess({ ...world.environment, ...waiting });
  await sendRequests(service.url, 1);
  expect(await service.stop()).toBe(0);
  resume();
  await collector.stop();
});

test('Protobuf is the default, and OTEL_SDK_DISABLED turns tracing off', async () => {
  const collector = await startCollector();
  const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...settings } = collector.settings;
  const exportedTypes = async (OTEL_SDK_DISABLED: string) => {
    const service = await world.another({ ...settings, OTEL_SDK_DISABLED });
    await sendRequests(service.url, 1);
    await service.stop();
    return [...new Set(collector.requests.map(({ headers }) => headers['content-type']))];
  };
  expect(await exportedTypes('true')).toEqual([]);
  expect(await exportedTypes('false')).toEqual(['application/x-protobuf']);
  await collector.stop();
});
