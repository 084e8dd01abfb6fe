import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { storeAttachment } from '../data/attachment.ts';
import { type SizeName, sizes } from '../data/size.ts';
import { type LoadGenerator, startGenerator } from '../load/generator.ts';
import type { WindowRequest, WindowResult } from '../load/window.ts';
import type { Options } from '../options.ts';
import { fastFolder } from '../../test/fast-folder.ts';
import type { World } from '../work/world.ts';
import { type BuiltService, buildService } from './build.ts';
import { createFilledDatabase, dropTriggers, prepareTemplate } from './database.ts';
import { startBenchIdentity } from './identity.ts';
import { imageNodeOptions } from './node-options.ts';
import { type BenchPostgres, startBenchPostgres } from './postgres.ts';
import { moveProcesses } from './processors.ts';
import { type Server, startServer } from './server.ts';

const gibibyte = 2 ** 30;
/** Space for an event in the journal, its log included, in bytes. */
const eventBytes = 1_500;
const floorProgram = join(import.meta.dirname, '../floor.ts');

/** Everything that measurements need: databases, identity provider, storage, load generator. Each is started when it is first used. */
export interface Environment {
  postgres: BenchPostgres;
  generator: LoadGenerator;
  /** Deletes the files that requests have uploaded. */
  removeUploads(size: SizeName): Promise<void>;
  worldOf(size: SizeName): Promise<World>;
  databaseOf(size: SizeName): Promise<string>;
  /** Returns the running service or floor on the database of this size. */
  serverOf(kind: ServerKind, size: SizeName): Promise<Server>;
  /** Starts another one, which the caller stops. */
  startAnother(
    kind: ServerKind,
    size: SizeName,
    options?: { settings?: Record<string, string>; onAllProcessors?: boolean },
  ): Promise<Server>;
  /** Moves PostgreSQL and the load generator away from the processor of the measured server, or to all processors. */
  moveOthers(to: 'others' | 'all'): void;
}
/** The service, the floor, the floor on a schema without triggers, or another build of the service. */
export type ServerKind = 'service' | 'floor' | 'bare floor' | 'baseline';

/** Starts PostgreSQL and the identity provider. @param disposables gets what must be stopped */
export async function startEnvironment(
  options: Options,
  disposables: AsyncDisposableStack,
  progress: (text: string) => void,
): Promise<Environment> {
  progress('building the service');
  const built: BuiltService = await buildService(options.service);
  progress('starting PostgreSQL');
  const postgres = disposables.adopt(await startBenchPostgres(8 * gibibyte + (options.events ?? 0) * eventBytes), ({ stop }) => stop());
  prepareTemplate(built, postgres);
  const identity = disposables.adopt(await startBenchIdentity(), ({ provider }) => provider.stop());
  const storageDir = disposables.adopt(await mkdtemp(join(await fastFolder(12 * gibibyte), 'profile-service-bench-files-')), (folder) =>
    rm(folder, { recursive: true }),
  );
  const generator = disposables.adopt(
    startGenerator<WindowRequest, WindowResult>(join(import.meta.dirname, '../load/process.ts')),
    ({ stop }) => stop(),
  );

  const databaseOf = once(async (size: SizeName) => {
    progress(`loading the ${size} database`);
    return createFilledDatabase(postgres, sizes[size]);
  });
  const bareDatabaseOf = once(async (size: SizeName) => {
    progress(`loading the ${size} database without triggers`);
    const url = await createFilledDatabase(postgres, sizes[size]);
    await dropTriggers(url);
    return url;
  });
  const folderOf = once(async (size: SizeName) => {
    const folder = join(storageDir, size);
    await mkdir(folder);
    return folder;
  });
  const worldOf = once(async (size: SizeName) => ({
    size,
    tokens: identity.tokens,
    attachmentId: await storeAttachment(await databaseOf(size), sizes[size], await folderOf(size)),
  }));

  async function startAnother(kind: ServerKind, size: SizeName, { settings = {}, onAllProcessors = false } = {}): Promise<Server> {
    await worldOf(size);
    const database = await (kind === 'bare floor' ? bareDatabaseOf : databaseOf)(size);
    const common = { DATABASE_URL: database, STORAGE_DIR: await folderOf(size), ...identity.settings };
    const profile = options.cpuProfiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(resolve(options.cpuProfiles), kind)}`];
    const nodeOptions = [...imageNodeOptions(), ...profile];
    const baseline = resolve(options.baseline ?? built.main);
    const program = { service: built.main, baseline, floor: floorProgram, 'bare floor': floorProgram }[kind];
    return startServer({ program, nodeOptions, onAllProcessors, settings: { ...common, ...highLimits, ...settings } });
  }
  /** Moves what shares the processors with the measured server. */
  const moveOthers = (to: 'others' | 'all') => moveProcesses([process.pid, generator.pid, postgres.postmaster], to);
  const running = once(async (key: `${SizeName}/${ServerKind}`) => {
    const [size, kind] = key.split('/') as [SizeName, ServerKind];
    const server = disposables.adopt(await startAnother(kind, size), ({ stop }) => stop());
    moveOthers('others');
    return server;
  });
  return {
    postgres,
    generator,
    worldOf,
    databaseOf,
    startAnother,
    moveOthers,
    serverOf: (kind, size) => running(`${size}/${kind}`),
    async removeUploads(size) {
      const folder = join(await folderOf(size), 'attachments/DOCUMENT');
      for (const file of await readdir(folder).catch(() => [])) await rm(join(folder, file));
    },
  };
}

/** Rate limits are raised as far as they go, and not switched off: each request is still counted. */
const highLimits = {
  RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
  RATE_LIMIT_CALLER_PER_SECOND: '1000000',
  RATE_LIMIT_IDENTITY_PER_SECOND: '1000000',
};

/** Runs the work once for each key. */
function once<Key, Value>(work: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const results = new Map<Key, Promise<Value>>();
  return (key) => {
    const result = results.get(key) ?? work(key);
    results.set(key, result);
    return result;
  };
}
