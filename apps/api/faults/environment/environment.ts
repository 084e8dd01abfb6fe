import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildService } from '../../../../bench/servers/build.ts';
import { freePort } from '../../../../test/free-port.ts';
import { findProgram } from '../../../../test/programs.ts';
import { asInCompose, startRedis, type TestRedis } from '../../../../test/redis.ts';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { startProcess } from '../../test/support/process.ts';
import type { FaultyDatabase } from './database.ts';
import { type DnsServer, startDnsServer, withHost } from './dns-server.ts';
import { type FaultyIdentity, startFaultyIdentity } from './identity.ts';
import { type Instances, startInstances } from './instances.ts';
import { createPeople, type People } from './people.ts';
import { type FaultyStorage, startFaultyStorage } from './storage.ts';

/** Two instances of the built service with their real parts, each of which can fail. */
export interface Environment {
  database: FaultyDatabase;
  redis: TestRedis;
  identity: FaultyIdentity;
  storage: FaultyStorage;
  dns: DnsServer;
  instances: Instances;
  people: People;
  /** The settings of the instances. Their addresses have host names that only the DNS server of the instances knows. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

/** The parts besides the database, which installations use one after the other. */
export type Parts = Pick<Environment, 'redis' | 'identity' | 'storage' | 'dns' | 'stop'> & {
  /** The built program. */
  program: string;
};

/** Builds the service and starts the parts. */
export async function startParts(): Promise<Parts> {
  const redisServer = await findProgram('redis-server');
  if (!redisServer) throw new Error('redis-server is missing: install it (Debian: apt-get install redis-server)');
  const { main: program } = await buildService(undefined);
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'profile-service-faults-')), (path) => rm(path, { recursive: true }));
  const redis = stack.adopt(await startRedis(redisServer, asInCompose), (part) => part.remove());
  const identity = stack.adopt(await startFaultyIdentity(), (part) => part.stop());
  const storage = stack.adopt(await startFaultyStorage(), (part) => part.stop());
  const dns = stack.adopt(await startDnsServer(folder), (part) => part.stop());
  const disposables = stack.move();
  return { program, redis, identity, storage, dns, stop: () => disposables.disposeAsync() };
}

/** Starts an installation: two instances on this database. `stop` leaves the database and the parts running. */
export async function startEnvironment({ program, ...parts }: Parts, database: FaultyDatabase): Promise<Environment> {
  const { redis, identity, storage, dns } = parts;
  const settings = {
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
  };
  const startService = (extra: Record<string, string>) => startProcess({ ...settings, ...extra }, program, dns.launcher);
  const instances = await startInstances(startService, [await freePort(), await freePort()]);
  try {
    const people = await createPeople(instances.urls[0] ?? '', identity);
    return { redis, identity, storage, dns, database, instances, people, settings, stop: () => instances.stop() };
  } catch (error) {
    await instances.stop();
    throw error;
  }
}
