import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantLimits } from '../../src/limits/concurrency-limits.ts';
import type { Service } from '../../src/service.ts';
import { createApi, outcome } from '../support/api.ts';
import { largeOrganization, linkedOrganization } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { refusalsOf } from '../support/refusals.ts';
import { startWorld, type World } from '../support/world.ts';

const mib = 1024 * 1024;
/** Bytes of one answer: two of them are more than the system takes in for a client that does not read. */
const answerBytes = 8 * mib;

let world: World;
let busy: Person;
let other: Person;
let large: string;
let small: string;
beforeAll(async () => {
  world = await startWorld();
  const tenant = await world.tenant();
  busy = await world.person({ [tenant.id]: 'viewer' });
  other = await world.person({ [(await world.tenant()).id]: 'viewer' });
  large = await largeOrganization(world, tenant.id, answerBytes);
  small = await linkedOrganization(world, tenant.id);
});
afterAll(() => world.stop());

const start = (tenantLimits: Partial<TenantLimits>) => world.another({ DATABASE_POOL_MAX: '4', MANAGEMENT_PORT: '0' }, { tenantLimits });
const headOf = (target: string) => `${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.token}\r\n\r\n`;
const rest = () => headOf(`GET /api/organizations/${large}`);
const trpc = () => headOf(`GET /trpc/organizations.get?input=${encodeURIComponent(JSON.stringify({ id: large }))}`);

/** Asks so often on one connection, and reads nothing. */
async function askAndNeverRead({ port }: Service, requests: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(requests);
  return socket;
}

describe('answers that a tenant does not read', () => {
  test.each([
    ['REST', () => rest().repeat(4)],
    ['tRPC', () => trpc().repeat(4)],
  ])('are no more than it may leave, over %s, and all goes on once they are taken', async (_face, requests) => {
    const service = await start({ outboundBufferBytes: 8 * mib });
    const api = createApi(service.url);
    const ask = async () => outcome(await api.call(busy, `GET /api/organizations/${small}`));
    const socket = await askAndNeverRead(service, requests());
    await expect.poll(ask).toBe('RATE_LIMITED');
    // Before anything else is looked at.
    expect(outcome(await api.call(busy, 'GET /api/organizations?limit=0'))).toBe('RATE_LIMITED');
    expect(outcome(await api.call(other, 'GET /api/organizations'))).toBe(200);
    expect(outcome(await api.call(world.global, `GET /api/organizations/${small}`))).toBe(200);
    socket.resume();
    await expect.poll(ask).toBe(200);
    socket.destroy();
  });

  test('are given back when the connection ends, also those that waited for others on it', async () => {
    const service = await start({ outboundBufferBytes: 8 * mib });
    const ask = async () => outcome(await createApi(service.url).call(busy, `GET /api/organizations/${small}`));
    const socket = await askAndNeverRead(service, rest().repeat(4));
    await expect.poll(ask).toBe('RATE_LIMITED');
    socket.destroy();
    await expect.poll(ask).toBe(200);
  });

  test('are no more than that where all is asked for at once', async () => {
    const service = await start({ outboundBufferBytes: 8 * mib });
    await askAndNeverRead(service, rest().repeat(30));
    await expect.poll(() => refusalsOf(service)).toBeGreaterThan(20);
  });
});

test('an answer that is read by drips is cut off after its time', async () => {
  const service = await start({ responseTimeoutMs: 500 });
  const socket = await askAndNeverRead(service, rest().repeat(4));
  let received = 0;
  const drip = (chunk: Buffer) => {
    received += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  };
  socket.on('data', drip).resume();
  await once(socket, 'close');
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(4 * answerBytes);
});
