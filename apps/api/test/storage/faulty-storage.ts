import { expect } from 'vitest';
import { startGateway } from '../../../../scripts/storage/gateway.ts';
import { startToxiproxy, type Toxic, type Toxiproxy } from '../../../../scripts/storage/toxiproxy.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { startWorld, type World } from '../support/world.ts';
import { type Observed, startObserved } from './services.ts';
import { large, storedState, transfers } from './transfers.ts';

/** A service whose connections to the storage a test disturbs. */
export interface FaultyStorage extends Observed {
  world: World;
  toxiproxy: Toxiproxy;
  files: ReturnType<typeof transfers>;
  /** Removes the faults. Expects that a file of two parts can be stored, read and deleted at once, and that the service reports the storage as available. */
  expectRecovery(): Promise<void>;
  /** Uploads a file of two parts during the fault. @returns the response, and the objects and records before and after it */
  uploadDuring(toxic: Toxic): Promise<{ response: { status: number; code: string | undefined }; before: object; after: object }>;
  stop(): Promise<void>;
}

/** The storage of the tests of a file. */
export const useFaultyStorage = (): FaultyStorage => duringTests(startFaultyStorage, (storage) => storage.stop());

/** Starts a gateway, toxiproxy in front of it, and a service that uses the proxy. */
async function startFaultyStorage(): Promise<FaultyStorage> {
  const gateway = await startGateway();
  const toxiproxy = await startToxiproxy(gateway.settings['STORAGE_ENDPOINT'] ?? '');
  const world = await startWorld(gateway.settings);
  const observed = await startObserved(world, { ...gateway.settings, STORAGE_ENDPOINT: toxiproxy.url });
  const files = transfers(world, observed.service.url);
  /** Where even the abortion of an upload fails, the clean-up repeats it an hour later. */
  const stored = async () => {
    const { keys, paths } = await storedState(world);
    return { keys, paths };
  };
  async function expectRecovery(): Promise<void> {
    await toxiproxy.reset();
    const { body } = await files.upload(large);
    expect((await files.download(body.id)).bytes.equals(large)).toBe(true);
    expect((await files.remove(body.id)).status).toBe(204);
    await expect.poll(observed.health).toMatchObject({ status: 'ok', storage: 'ok' });
  }
  return {
    ...observed,
    world,
    toxiproxy,
    files,
    expectRecovery,
    async uploadDuring(toxic) {
      const before = await stored();
      await toxiproxy.add(toxic);
      const { status, code } = await files.upload(large);
      await toxiproxy.reset();
      return { response: { status, code }, before, after: await stored() };
    },
    async stop() {
      await world.stop();
      await toxiproxy.stop();
      await gateway.stop();
    },
  };
}
