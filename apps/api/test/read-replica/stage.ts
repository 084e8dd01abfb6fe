import { migrate } from '@profile-service/db';
import { expect } from 'vitest';
import { type ReplicatedPostgres, startReplicatedPostgres, type TestReplica } from '../../../../test/replicated-postgres.ts';
import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service/service.ts';
import { type Actor, type Api, createApi } from '../support/api.ts';
import { metricOf } from '../support/metrics.ts';
import { startWorld, type World } from '../support/world.ts';

/** A primary with a streaming replica. The service of the world uses only the primary. */
export interface Stage {
  postgres: ReplicatedPostgres;
  replica: TestReplica;
  world: World;
  stop(): Promise<void>;
}

/** Starts both servers and the world. */
export async function startStage(): Promise<Stage> {
  const postgres = await startReplicatedPostgres();
  await migrate(postgres.url);
  const replica = await postgres.addReplica();
  const world = await startWorld({}, async () => postgres.url);
  return {
    postgres,
    replica,
    world,
    async stop() {
      await world.stop();
      await postgres.stop();
    },
  };
}

/** An instance that reads from a replica. */
export interface ReplicaInstance extends Api {
  service: Service;
  /** Number of reads that have started on this server. */
  readsOn(server: 'primary' | 'replica'): Promise<number>;
  /** Number of reads that failed on the replica and were repeated on the primary. */
  repeatedReads(): Promise<number>;
  /** How far the replica was behind at the last comparison. */
  lagBytes(): Promise<number>;
  /** Sends reads until one has used the replica. */
  untilReplicaUsed(): Promise<void>;
  /** Why the replica cannot be used, on the management port. */
  reason(): Promise<string | undefined>;
  /** Messages and reasons of the log lines about the replica. */
  told(): string[][];
}

/** Starts an instance of the world with this replica. */
export async function startReplicaInstance(world: World, replicaUrl: string): Promise<ReplicaInstance> {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const service = await world.another({ DATABASE_REPLICA_URL: replicaUrl, MANAGEMENT_PORT: '0' }, { log });
  const api = createApi(service.url);
  const readsOn = (server: string) => metricOf(service, 'profile_database_reads_total', new RegExp(`server="${server}"`));
  return {
    ...api,
    service,
    readsOn,
    repeatedReads: () => unlabelledMetricOf(service, 'profile_database_reads_repeated_total'),
    lagBytes: () => unlabelledMetricOf(service, 'profile_replica_lag_bytes'),
    async untilReplicaUsed() {
      const before = await readsOn('replica');
      await expect.poll(() => read(api, world.global).then(() => readsOn('replica'))).toBeGreaterThan(before);
    },
    async reason() {
      const response = await fetch(`${service.managementUrl}/health/ready`);
      return ((await response.json()) as { reasons: { replica?: string } }).reasons.replica;
    },
    told: () =>
      lines
        .map((line) => JSON.parse(line) as { part?: string; msg: string; reason?: string })
        .filter(({ part }) => part === 'replica')
        .map(({ msg, reason }) => [msg, ...(reason === undefined ? [] : [reason])]),
  };
}

/** Sends a read that may use the replica. */
const read = (api: Api, actor: Actor) => api.call(actor, 'GET /api/customers?limit=1');

/** The value of a metric without labels. */
async function unlabelledMetricOf({ managementUrl }: Service, name: string): Promise<number> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}
