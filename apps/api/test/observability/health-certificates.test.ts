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

const identityUrls = 'IDENTITY_REALM_URL, IDENTITY_AUTH_URL or IDENTITY_INTERNAL_URL';

// Rules: HEALTH-6
test.each<[string, () => Promise<Record<string, string>>, Record<string, string>]>([
  [
    'the certificate of an unknown authority',
    () => settingsWith('localhost'),
    {
      database: 'PostgreSQL’s certificate is not accepted: set DATABASE_CA_FILE to the certificate of its authority.',
      identity: 'The identity provider’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.',
      storage: 'The storage’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.',
      cache: 'Redis’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.',
    },
  ],
  [
    'an expired certificate',
    () => trusting('expired'),
    {
      database: 'PostgreSQL’s certificate has expired or is not valid yet: renew it, or correct the clock of this machine.',
      identity: 'The identity provider’s certificate has expired or is not valid yet: renew it, or correct the clock of this machine.',
      storage: 'The storage’s certificate has expired or is not valid yet: renew it, or correct the clock of this machine.',
      cache: 'Redis’s certificate has expired or is not valid yet: renew it, or correct the clock of this machine.',
    },
  ],
  [
    'the certificate of another host',
    () => trusting('other-host'),
    {
      database: 'PostgreSQL’s certificate names another host: correct the host in DATABASE_URL, or add it to the certificate.',
      identity: `The identity provider’s certificate names another host: correct the host in ${identityUrls}, or add it to the certificate.`,
      storage: 'The storage’s certificate names another host: correct the host in STORAGE_ENDPOINT, or add it to the certificate.',
      cache: 'Redis’s certificate names another host: correct the host in REDIS_URL, or add it to the certificate.',
    },
  ],
  [
    'a server without TLS',
    settingsWithoutTls,
    {
      database:
        'PostgreSQL does not use TLS at this address: set ssl = on in postgresql.conf, or remove DATABASE_CA_FILE and the sslmode in DATABASE_URL.',
      identity: `The identity provider does not use TLS at this address: correct the port, or replace https by http in ${identityUrls}.`,
      storage: 'The storage does not use TLS at this address: correct the port, or replace https by http in STORAGE_ENDPOINT.',
      cache: 'Redis does not use TLS at this address: correct the port, or replace rediss by redis in REDIS_URL.',
    },
  ],
])('the reason names %s and what to do, for each part', async (_fault, prepare, reasons) => {
  service = await startProcess({ ...world.environment, MANAGEMENT_PORT: '0', ...(await prepare()) });
  const url = `${service.managementUrl}/health/ready`;
  await expect.poll(async () => ((await (await fetch(url)).json()) as { reasons: unknown }).reasons).toEqual(reasons);
});
