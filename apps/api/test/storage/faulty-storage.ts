import { expect } from 'vitest';
import { startGateway } from '../../../../scripts/storage/gateway.ts';
import { startToxiproxy, type Toxiproxy } from '../../../../scripts/storage/toxiproxy.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { startWorld, type World } from '../support/world.ts';
import { type Observed, startObserved } from './services.ts';
import { large, storedState, transfers } from './transfers.ts';

/** A service whose connections to the storage a test disturbs. */
export interface FaultyStorage extends Observed {
  world: World;
  toxiproxy: Toxiproxy;
  files: ReturnType<typeof transfers>;
  /** Expects that a file of two parts can be stored, read and deleted. */
  expectTransfer(): Promise<void>;
  /** Removes the faults. Expects a transfer to succeed at once, and that the service reports the storage as available. */
  expectRecovery(): Promise<void>;
  /** Returns the objects and the records. Where even the abortion of an upload fails, the clean-up repeats it an hour later. */
  stored(): Promise<object>;
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
  async function expectTransfer(): Promise<void> {
    const { body } = await files.upload(large);
    expect((await files.download(body.id)).bytes.equals(large)).toBe(true);
    expect((await files.remove(body.id)).status).toBe(204);
  }
  return {
    ...observed,
    world,
    toxiproxy,
    files,
    expectTransfer,
    async expectRecovery() {
      await toxiproxy.reset();
      await expectTransfer();
      await expect.poll(observed.health).toMatchObject({ status: 'ok', storage: 'ok' });
    },
    stored: () => storedState(world),
    async stop() {
      await world.stop();
      await toxiproxy.stop();
      await gateway.stop();
    },
  };
}
