import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { migrate } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';
import { createDatabase } from './create-database.ts';
import { startFastPostgres } from './fast-postgres.ts';
import { findProgram } from './programs.ts';
import type { Provided } from './provided.ts';

// Inherited by workers and by the processes that tests start. scripts/bootstrap.mjs says why.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'node');

/** Runs once: starts PostgreSQL with the migrated template, and creates what is too slow to create per test file. Returns the teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startFastPostgres('tests', { max_connections: '300' });
  try {
    await migrate(postgres.url);
    const mapTemplateUrl = await createDatabase(postgres.adminUrl, 'map', postgres.url);
    await loadGeography(mapTemplateUrl);
    // REDIS_SERVER runs the tests of Redis on another server, such as /usr/bin/valkey-server.
    const redis = process.env['REDIS_SERVER'];
    const [redisServer, pgbouncer, chromium, soffice] = await Promise.all([
      redis ?? findOptionalProgram('redis-server'),
      findOptionalProgram('pgbouncer'),
      findOptionalProgram('chromium', findChromium()),
      findOptionalProgram('libreoffice-calc-nogui', findProgram('soffice')),
    ]);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    project.provide('postgres', { adminUrl: postgres.adminUrl, templateUrl: postgres.url, mapTemplateUrl });
    project.provide('signingKey', { ...privateKey.export({ format: 'jwk' }), alg: 'RS256' } as Provided['signingKey']);
    project.provide('redisServer', redisServer ?? null);
    project.provide('pgbouncer', pgbouncer ?? null);
    project.provide('chromium', chromium);
    project.provide('soffice', soffice);
    return postgres.stop;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function findOptionalProgram(name: string, search = findProgram(name)): Promise<string | null> {
  const program = await search;
  if (!program) console.log(`${name} is not installed: the tests that need it do not run. Install it with apt-get install ${name}.`);
  return program;
}
