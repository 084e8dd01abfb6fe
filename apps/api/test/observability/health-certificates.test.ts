import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { startProcess } from '../support/process.ts';
import { reasonsOf } from '../support/readiness.ts';
import { pemFileOf, startTlsProxy } from '../support/tls-proxy.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** Starts a server, and returns the settings that make it the identity provider, the storage and the cache. */
async function settingsOf(server: Server): Promise<Record<string, string>> {
  const address = `localhost:${await listen(server)}`;
  onTestFinished(() => void server.close());
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

/** Starts servers with this certificate. @param isTrusted whether the service accepts it, if its host name and its dates are right */
async function settingsWith(certificate: Parameters<typeof pemFileOf>[0], isTrusted: boolean): Promise<Record<string, string>> {
  const file = pemFileOf(certificate);
  const pem = readFileSync(file);
  const database = await startTlsProxy(world.databaseUrl, file);
  onTestFinished(() => database.stop());
  const server = createServer({ key: pem, cert: pem }, (socket) => socket.destroy()).on('tlsClientError', () => undefined);
  const trusted = isTrusted ? { NODE_EXTRA_CA_CERTS: file, DATABASE_CA_FILE: file } : {};
  return { ...(await settingsOf(server)), ...trusted, DATABASE_URL: `${database.url}?sslmode=verify-full` };
}

/** A server that does not know TLS, and PostgreSQL without certificate. */
async function settingsWithoutTls(): Promise<Record<string, string>> {
  const server = createPlainServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  return { ...(await settingsOf(server)), DATABASE_URL: `${world.databaseUrl}?sslmode=verify-full` };
}

/** Those that a reason is about, and what to do, in the same order. */
const owners = { database: 'PostgreSQL', identity: 'The identity provider', storage: 'The storage', cache: 'Redis' };
const caFiles = ['set DATABASE_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'NODE_EXTRA_CA_CERTS', 'NODE_EXTRA_CA_CERTS'];
const addresses = ['DATABASE_URL', 'IDENTITY_INTERNAL_URL', 'STORAGE_ENDPOINT', 'REDIS_URL'];
const protocols = ['ssl = on in postgresql.conf', 'replace https by http', 'STORAGE_ENDPOINT', 'replace rediss by redis'];

// Rules: HEALTH-6
test.each<[fault: string, prepare: () => Promise<Record<string, string>>, advice: string[]]>([
  ['certificate is not accepted', () => settingsWith('localhost', false), caFiles],
  ['certificate has expired', () => settingsWith('expired', true), ['renew it', 'renew it', 'renew it', 'renew it']],
  ['certificate names another host', () => settingsWith('other-host', true), addresses],
  ['does not use TLS', settingsWithoutTls, protocols],
])('the reason says "%s" and what to do, for each part', async (fault, prepare, advice) => {
  const service = await startProcess({ ...world.environment, MANAGEMENT_PORT: '0', ...(await prepare()) });
  onTestFinished(() => service.kill());
  const expected = Object.entries(owners).map(([part, owner], index) => [
    part,
    expect.stringMatching(`^${owner}(’s)? ${fault}.*: .*${advice[index]}`),
  ]);
  await expect.poll(() => reasonsOf(service)).toEqual(Object.fromEntries(expected));
});
