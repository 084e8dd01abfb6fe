import { migrate } from '@profile-service/db';
import { expect } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { startReplicatedPostgres } from '../../../../test/replicated-postgres.ts';
import { metricOf } from '../support/metrics.ts';
import { reasonsOf } from '../support/readiness.ts';
import { recordLog } from '../support/recorded-log.ts';
import { startWorld, type World } from '../support/world.ts';

/** A primary with a streaming replica, for the tests of a file. The service of the world uses only the primary. */
export const useStage = () =>
  duringTests(
    async () => {
      const postgres = await startReplicatedPostgres();
      await migrate(postgres.url);
      const replica = await postgres.addReplica();
      return { postgres, replica, world: await startWorld({}, async () => postgres.url) };
    },
    ({ world, postgres }) => world.stop().then(() => postgres.stop()),
  );

export type ReplicaInstance = Awaited<ReturnType<typeof startReplicaInstance>>;

/** Starts an instance of the world that reads from this replica. */
export async function startReplicaInstance(world: World, replicaUrl: string) {
  const { log, about } = recordLog();
  const instance = await world.another({ DATABASE_REPLICA_URL: replicaUrl, MANAGEMENT_PORT: '0' }, { log });
  /** Number of reads that have started on this server. */
  const readsOn = (server: 'primary' | 'replica') => metricOf(instance, 'profile_database_reads_total', new RegExp(`server="${server}"`));
  const read = () => instance.call(world.global, 'GET /api/customers?limit=1');
  return {
    ...instance,
    readsOn,
    /** Number of reads that failed on the replica and were repeated on the primary. */
    repeatedReads: () => metricOf(instance, 'profile_database_reads_repeated_total'),
    /** How far the replica was behind at the last comparison. */
    lagBytes: () => metricOf(instance, 'profile_replica_lag_bytes'),
    /** Sends reads until one has used the replica. */
    async untilReplicaUsed() {
      const before = await readsOn('replica');
      await expect.poll(() => read().then(() => readsOn('replica'))).toBeGreaterThan(before);
    },
    /** Why the replica cannot be used. */
    reason: async () => (await reasonsOf(instance))?.['replica'],
    /** Messages and reasons of the log lines about the replica. */
    told: () => about('replica'),
  };
}
