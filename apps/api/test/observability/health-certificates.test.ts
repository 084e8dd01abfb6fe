import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let database: TlsProxy;
/** A server that presents the certificate of an unknown authority. */
let server: Server;
beforeAll(async () => {
  world = await startWorld();
  database = await startTlsProxy(world.databaseUrl);
  const pem = readFileSync(database.caFile);
  server = createServer({ key: pem, cert: pem }, (socket) => socket.destroy()).on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  await world.stop();
  await database.stop();
  server.close();
});

const address = () => `localhost:${(server.address() as AddressInfo).port}`;

// Rules: HEALTH-6
test.each<[string, () => Record<string, string>, string]>([
  [
    'database',
    () => ({ DATABASE_URL: `${database.url}?sslmode=verify-full` }),
    'PostgreSQL’s certificate is not accepted: set DATABASE_CA_FILE to the certificate of its authority.',
  ],
  [
    'identity',
    () => ({ IDENTITY_INTERNAL_URL: `https://${address()}` }),
    'The identity provider’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.',
  ],
  [
    'cache',
    () => ({ REDIS_URL: `rediss://${address()}` }),
    'Redis’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.',
  ],
])('the reason names a certificate that is not accepted: %s', async (part, settings, reason) => {
  const service = await world.another(settings(), { healthIntervalMs: 50 });
  await expect.poll(() => service.health.detailedReport().reasons).toMatchObject({ [part]: reason });
  await service.stop();
});
