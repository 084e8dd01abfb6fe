import type { PatroniCluster } from '../environment/patroni.ts';
import { type Fault, unavailable } from '../fault.ts';

/** The faults of a cluster with a synchronous standby. */
export const failoverFaults = (cluster: PatroniCluster): readonly Fault[] => [
  {
    part: 'PostgreSQL',
    name: 'primary killed (SIGKILL), synchronous standby promoted by Patroni',
    allowed: [unavailable],
    prepare: () => cluster.untilReplicated(),
    begin: async () => undefined,
    // The kill is the end of the fault: the time until the service serves again counts from here.
    end: () => cluster.killPrimary(),
    restore: () => cluster.startKilled(),
  },
];
