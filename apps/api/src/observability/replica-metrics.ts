import { Counter, Gauge, type Registry } from 'prom-client';

export interface ReplicaMetrics {
  /** Counts a read that starts on this server. */
  read(server: 'primary' | 'replica'): void;
  /** Counts a read that failed on the replica and is repeated on the primary. */
  repeated(): void;
}

/** Adds the metrics of the read replica to the registry. @param replica `lagBytes` is undefined while the lag is unknown */
export function createReplicaMetrics(registry: Registry, replica: { readonly lagBytes: number | undefined }): ReplicaMetrics {
  const registers = [registry];
  const reads = new Counter({
    name: 'profile_database_reads_total',
    help: 'Requests that only read, by the database server that they use first: primary or replica',
    labelNames: ['server'],
    registers,
  });
  const counts = { primary: reads.labels('primary'), replica: reads.labels('replica') };
  const repeated = new Counter({
    name: 'profile_database_reads_repeated_total',
    help: 'Reads that failed on the replica and were repeated on the primary',
    registers,
  });
  new Gauge({
    name: 'profile_replica_lag_bytes',
    help: 'Bytes of the write-ahead log that the replica had not replayed at the last comparison; NaN while it cannot be compared',
    registers,
    collect() {
      this.set(replica.lagBytes ?? Number.NaN);
    },
  });
  return { read: (server) => counts[server].inc(), repeated: () => repeated.inc() };
}
