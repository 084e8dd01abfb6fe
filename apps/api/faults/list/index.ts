import type { PatroniCluster } from '../environment/patroni.ts';
import type { FaultyPostgres } from '../environment/postgres.ts';
import type { Fault } from '../fault.ts';
import { clockFaults } from './clock.ts';
import { dnsFaults } from './dns.ts';
import { failoverFaults } from './failover.ts';
import { identityFaults } from './identity.ts';
import { postgresFaults } from './postgres.ts';
import { redisFaults } from './redis.ts';
import { serviceFaults } from './service.ts';
import { storageFaults } from './storage.ts';

const faultsOfParts: readonly Fault[] = [...redisFaults, ...identityFaults, ...storageFaults, ...serviceFaults, ...clockFaults];

/** The faults of an installation with one PostgreSQL server, in the order of docs/run/figures.md. */
export const faultsOf = (postgres: FaultyPostgres): readonly Fault[] => [
  ...postgresFaults(postgres),
  ...faultsOfParts,
  ...dnsFaults(postgres),
];

/** The faults of an installation with a cluster. @param withParts whether to include those of the other parts */
export const faultsOfCluster = (cluster: PatroniCluster, withParts: boolean): readonly Fault[] => [
  ...failoverFaults(cluster),
  ...(withParts ? faultsOfParts : []),
];

export const titleOf = ({ part, name }: Fault): string => `${part}: ${name}`;
