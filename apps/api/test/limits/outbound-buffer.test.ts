import { beforeAll, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { outcome } from '../support/api.ts';
import { metricOf } from '../support/metrics.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { largeOrganization, linkedOrganization } from '../support/organizations.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useWorld } from '../support/world.ts';
import { headOf, openConnection } from '../transports/connection.ts';

/** Bytes of one response. The buffers of the operating system hold less than three of them. */
const responseBytes = 4 * 1024 * 1024;

const world = useWorld();
const other = useMember(world, useTenant(world), 'viewer');
const tenant = useTenant(world);
const busy = useMember(world, tenant, 'viewer');
/** Limits a tenant to the bytes of one response. */
const api = duringTests(() =>
  world.another({ DATABASE_POOL_MAX: '4', MANAGEMENT_PORT: '0' }, { tenantLimits: { outboundBufferBytes: responseBytes } }),
);
let large: string;
let small: string;
beforeAll(async () => {
  large = await largeOrganization(world, tenant.id, responseBytes);
  small = await linkedOrganization(world, tenant.id);
});

const rest = () => headOf(`GET /api/organizations/${large}`, busy);
const trpc = () => headOf(`GET /trpc/organizations.get?input=${encodeURIComponent(JSON.stringify({ id: large }))}`, busy);
const readSmall = async () => outcome(await api.call(busy, `GET /api/organizations/${small}`));

/** The number of requests that the service rejected because of a concurrency limit of their tenant. */
const refusals = () => metricOf(api, 'profile_rate_limited_total', /limit="tenant"/);

/** Sends the requests on one connection and reads nothing. */
async function sendWithoutReading({ port }: { port: number }, requests: string) {
  const { socket, closed } = await openConnection(port);
  socket.pause().write(requests);
  return { socket, closed };
}

describe('responses that the clients of a tenant do not read', () => {
  test.each([
    ['REST', rest],
    ['tRPC', trpc],
  ])('are limited over %s, until the clients read them', async (_transport, request) => {
    const { socket } = await sendWithoutReading(api, request().repeat(4));
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
    const { socket } = await sendWithoutReading(api, rest().repeat(12));
    await expect.poll(refusals).toBeGreaterThan(before + 4);
    socket.destroy();
    await expect.poll(readSmall).toBe(200);
  });
});

test('a response that the client reads too slowly is aborted', async () => {
  const { log, text } = recordLog();
  const slow = await world.another({}, { tenantLimits: { responseTimeoutMs: 500 }, log });
  const { socket, closed } = await sendWithoutReading(slow, rest().repeat(4));
  let received = 0;
  socket.on('data', (chunk) => (received += chunk.length));
  const timer = setInterval(() => socket.resume().once('data', () => socket.pause()), 20);
  await expect.poll(text).toContain('"aborted":true');
  clearInterval(timer);
  socket.resume();
  await closed;
  // On a busy machine, the connection may be reset before the client has read anything.
  expect(received).toBeLessThan(4 * responseBytes);
});
