import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildService } from '../../../../bench/servers/build.ts';
import { freePort } from '../../../../test/free-port.ts';
import { findProgram } from '../../../../test/programs.ts';
import { asInCompose, startRedis } from '../../../../test/redis.ts';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { startProcess } from '../../test/support/process.ts';
import { startDnsServer, withHost } from './dns-server.ts';
import { startFaultyIdentity } from './identity.ts';
import { startInstances } from './instances.ts';
import { createPeople } from './people.ts';
import { startFaultyPostgres } from './postgres.ts';
import { startFaultyStorage } from './storage.ts';

/** Two instances of the built service with their real parts, each of which can fail. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Builds the service, and starts it with all parts. @param mebibytes size of the disk of PostgreSQL */
export async function startEnvironment(mebibytes: number) {
  const { main: program } = await buildService(undefined);
  await using stack = new AsyncDisposableStack();
  const stopping = <Part extends { stop(): Promise<void> | void }>(part: Part): Part => stack.adopt(part, () => part.stop());
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'profile-service-faults-')), (path) => rm(path, { recursive: true }));
  const database = stopping(await startFaultyPostgres(mebibytes));
  const redis = stack.adopt(await startRedis((await findProgram('redis-server')) ?? '', asInCompose), (part) => part.remove());
  const identity = stopping(await startFaultyIdentity());
  const storage = stopping(await startFaultyStorage());
  const dns = stopping(await startDnsServer(folder));
  /** The settings of the instances. Their addresses have host names that only the DNS server of the instances knows. */
  const settings: Record<string, string> = {
    ...withoutLimits,
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: withHost(database.url, 'postgres.test'),
    DATABASE_POOL_MAX: '5',
    REDIS_URL: withHost(redis.url, 'redis.test'),
    ...identity.settings,
    IDENTITY_INTERNAL_URL: withHost(identity.proxy.url, 'identity.test'),
    ...storage.settings,
    STORAGE_ENDPOINT: withHost(storage.http.url, 'storage.test'),
    WEBHOOK_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
  };
  const startService = (extra: Record<string, string>) => startProcess({ ...settings, ...extra }, program, dns.launcher);
  const instances = stopping(await startInstances(startService, [await freePort(), await freePort()]));
  const people = await createPeople(instances.urls[0] ?? '', identity);
  const disposables = stack.move();
  return { database, redis, identity, storage, dns, instances, people, settings, stop: () => disposables.disposeAsync() };
}
