import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service/service.ts';
import { type Api, createApi, outcome } from '../support/api.ts';
import { metricOf } from '../support/metrics.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { largeOrganization, linkedOrganization } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

/** Bytes of one response. The buffers of the operating system hold less than three of them. */
const responseBytes = 4 * 1024 * 1024;

const world = useWorld();
const other = useMember(world, useTenant(world), 'viewer');
/** Limits a tenant to the bytes of one response. */
let service: Service;
let api: Api;
let busy: Person;
let large: string;
let small: string;
beforeAll(async () => {
  const tenant = await world.tenant();
  busy = await world.person({ [tenant.id]: 'viewer' });
  large = await largeOrganization(world, tenant.id, responseBytes);
  small = await linkedOrganization(world, tenant.id);
  const limits = { tenantLimits: { outboundBufferBytes: responseBytes } };
  service = await world.another({ DATABASE_POOL_MAX: '4', MANAGEMENT_PORT: '0' }, limits);
  api = createApi(service.url);
});

const headOf = (target: string) => `${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.token}\r\n\r\n`;
const rest = () => headOf(`GET /api/organizations/${large}`);
const trpc = () => headOf(`GET /trpc/organizations.get?input=${encodeURIComponent(JSON.stringify({ id: large }))}`);
const readSmall = async () => outcome(await api.call(busy, `GET /api/organizations/${small}`));

/** The number of requests that the service refused because of a concurrency limit of their tenant. */
const refusals = () => metricOf(service, 'profile_rate_limited_total', /limit="tenant"/);

/** Sends the requests on one connection and reads nothing. */
async function sendWithoutReading({ port }: Service, requests: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(requests);
  return socket;
}

describe('responses that the clients of a tenant do not read', () => {
  test.each([
    ['REST', rest],
    ['tRPC', trpc],
  ])('are limited over %s, until the clients read them', async (_transport, request) => {
    const socket = await sendWithoutReading(service, request().repeat(4));
    await expect.poll(readSmall).toBe('RATE_LIMITED');
    // The limit is checked before the input.
    expect(outcome(await api.call(busy, 'GET /api/organizations?limit=0'))).toBe('RATE_LIMITED');
    expect(outcome(await api.call(other, 'GET /api/organizations'))).toBe(200);
    expect(outcome(await api.call(world.global, `GET /api/organizations/${small}`))).toBe(200);
    socket.resume();
    await expect.poll(readSmall).toBe(200);
    socket.destroy();
  });

  test('are limited for requests that arrive at the same time, until the connection ends', async () => {
    const before = await refusals();
    const socket = await sendWithoutReading(service, rest().repeat(12));
    await expect.poll(refusals).toBeGreaterThan(before + 4);
    socket.destroy();
    await expect.poll(readSmall).toBe(200);
  });
});

test('a response that the client reads too slowly is aborted', async () => {
  let log = '';
  const options = { tenantLimits: { responseTimeoutMs: 500 }, log: createLog('info', { write: (line) => (log += line) }) };
  const slow = await world.another({}, options);
  const socket = await sendWithoutReading(slow, rest().repeat(4));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let received = 0;
  socket.on('data', (chunk) => (received += chunk.length));
  const timer = setInterval(() => socket.resume().once('data', () => socket.pause()), 20);
  await expect.poll(() => log).toContain('"aborted":true');
  clearInterval(timer);
  socket.resume();
  await closed;
  // On a busy machine, the connection may be reset before the client has read anything.
  expect(received).toBeLessThan(4 * responseBytes);
});
