import { generateKeyPairSync } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { migrate } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import type { TestProject } from 'vitest/node';
import { createDatabase } from './create-database.ts';
import { startFastPostgres } from './fast-postgres.ts';
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
    const redisServer = await programOnPath('redis-server');
    if (!redisServer)
      console.log('No redis-server on the PATH: tests that need Redis are skipped. Install it with apt-get install redis-server.');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    project.provide('postgres', { adminUrl: postgres.adminUrl, templateUrl: postgres.url, mapTemplateUrl });
    project.provide('signingKey', { ...privateKey.export({ format: 'jwk' }), alg: 'RS256' } as Provided['signingKey']);
    project.provide('redisServer', redisServer);
    return postgres.stop;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function programOnPath(name: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}
