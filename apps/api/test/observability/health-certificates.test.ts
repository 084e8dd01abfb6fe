import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { pemFileOf, startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let database: TlsProxy | undefined;
let server: Server | undefined;
let service: ServiceProcess | undefined;
afterEach(async () => {
  await service?.kill();
  await database?.stop();
  server?.close();
  [service, database, server] = [undefined, undefined, undefined];
});

/** Starts a server, and returns the settings that make it the identity provider, the storage and the cache. */
async function settingsOf(started: Server): Promise<Record<string, string>> {
  server = started;
  const port = await listen(server);
  const address = `localhost:${port}`;
  return {
    IDENTITY_INTERNAL_URL: `https://${address}`,
    STORAGE_DIR: '',
    STORAGE_ENDPOINT: `https://${address}`,
    STORAGE_BUCKET: 'files',
    STORAGE_ACCESS_KEY_ID: 'key',
    STORAGE_SECRET_ACCESS_KEY: 'secret',
    REDIS_URL: `rediss://${address}`,
  };
}

/** Starts a TLS server and a TLS proxy of the database with this certificate. */
async function settingsWith(certificate: Parameters<typeof pemFileOf>[0]): Promise<Record<string, string>> {
  const file = pemFileOf(certificate);
  const pem = readFileSync(file);
  database = await startTlsProxy(world.databaseUrl, file);
  const settings = await settingsOf(
    createServer({ key: pem, cert: pem }, (socket) => socket.destroy()).on('tlsClientError', () => undefined),
  );
  return { ...settings, DATABASE_URL: `${database.url}?sslmode=verify-full` };
}

/** Adds the settings that make the service accept the certificate, if its host name and its dates are right. */
async function trusting(certificate: Parameters<typeof pemFileOf>[0]): Promise<Record<string, string>> {
  const file = pemFileOf(certificate);
  return { ...(await settingsWith(certificate)), NODE_EXTRA_CA_CERTS: file, DATABASE_CA_FILE: file };
}

/** A server that does not know TLS, and PostgreSQL without certificate. */
async function settingsWithoutTls(): Promise<Record<string, string>> {
  const plain = createPlainServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  return { ...(await settingsOf(plain)), DATABASE_URL: `${world.databaseUrl}?sslmode=verify-full` };
}

/** The end of a reason names what to do, for each part. */
const advice: Record<string, Record<string, string>> = {
  'certificate is not accepted': {
    database: 'set DATABASE_CA_FILE',
    identity: 'NODE_EXTRA_CA_CERTS',
    storage: 'NODE_EXTRA_CA_CERTS',
    cache: 'NODE_EXTRA_CA_CERTS',
  },
  'certificate has expired': { database: 'renew it', identity: 'renew it', storage: 'renew it', cache: 'renew it' },
  'certificate names another host': {
    database: 'DATABASE_URL',
    identity: 'IDENTITY_INTERNAL_URL',
    storage: 'STORAGE_ENDPOINT',
    cache: 'REDIS_URL',
  },
  'does not use TLS': {
    database: 'ssl = on in postgresql.conf',
    identity: 'replace https by http',
    storage: 'STORAGE_ENDPOINT',
    cache: 'replace rediss by redis',
  },
};
const owners = { database: 'PostgreSQL', identity: 'The identity provider', storage: 'The storage', cache: 'Redis' };

// Rules: HEALTH-6
test.each<[keyof typeof advice, () => Promise<Record<string, string>>]>([
  ['certificate is not accepted', () => settingsWith('localhost')],
  ['certificate has expired', () => trusting('expired')],
  ['certificate names another host', () => trusting('other-host')],
  ['does not use TLS', settingsWithoutTls],
])('the reason says "%s" and what to do, for each part', async (fault, prepare) => {
  service = await startProcess({ ...world.environment, MANAGEMENT_PORT: '0', ...(await prepare()) });
  const url = `${service.managementUrl}/health/ready`;
  const expected = Object.entries(owners).map(([part, owner]) => [
    part,
    expect.stringMatching(`^${owner}(’s)? ${fault}.*: .*${advice[fault]?.[part]}`),
  ]);
  await expect.poll(async () => ((await (await fetch(url)).json()) as { reasons: unknown }).reasons).toEqual(Object.fromEntries(expected));
});
