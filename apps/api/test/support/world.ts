import { createTestDatabase } from '../../../../test/database.ts';
import type { Service, ServiceOptions } from '../../src/service/service.ts';
import { type Api, createApi } from './api.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { createPeople, type People } from './people.ts';
import type { StoredFiles } from '../../../../test/storage/stored-files.ts';
import { createTestWorld, type TestWorld } from './test-world.ts';
import { worldStorage } from './world-storage.ts';

export { profileClient } from './test-world.ts';

/** An instance of the service, with its client. */
export interface Instance extends Service, Api {}

export interface World extends Api, People, TestWorld {
  /** The stored files, read and changed without the service. */
  storedFiles: StoredFiles;
  another(extra?: Record<string, string>, options?: ServiceOptions): Promise<Instance>;
}

/** Size limit of uploads. Small, so that tests can exceed it quickly. */
export const maxFileBytes = 6 * 1024 * 1024;

/** The world of the tests of a file or of a `describe`. */
export const useWorld = (extra?: Record<string, string>): World =>
  duringTests(
    () => startWorld(extra),
    (world) => world.stop(),
  );

/**
 * Starts the application with its own database, identity provider and storage, and one Global user.
 * Tests create everything else through the API.
 */
export async function startWorld(
  extra: Record<string, string> = {},
  createDatabase = createTestDatabase,
  options: ServiceOptions = {},
): Promise<World> {
  const storage = await worldStorage(extra);
  const settings = {
    ...storage.settings,
    ATTACHMENT_MAX_BYTES: String(maxFileBytes),
    // The limits apply, but tests do not reach them. They would exceed the defaults on a fast machine.
    RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
    RATE_LIMIT_CALLER_PER_SECOND: '1000000',
    RATE_LIMIT_IDENTITY_PER_SECOND: '1000000',
    // Many requests at once must not be an overload on a slow machine.
    REQUEST_QUEUE_DELAY_MS: '5000',
    ...extra,
  };
  const world = await createTestWorld({ databaseUrl: await createDatabase(), settings, options });
  const api = createApi(world.service.url);
  return {
    ...world,
    ...api,
    ...(await createPeople(api.call, world.sign, world.globalSubject)),
    storedFiles: storage.filesIn(world.filesDir),
    async another(...args) {
      const service = await world.another(...args);
      return { ...service, ...createApi(service.url) };
    },
    async stop() {
      await world.stop();
      await storage.remove();
    },
  };
}
