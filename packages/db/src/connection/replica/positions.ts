import type pg from 'pg';
import { NotAReplicaError, PrimaryPositionError } from './errors.ts';

/** Runs a query on one of the two servers. */
export type Query = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

/** Position of the primary in its write-ahead log, and what identifies this log. */
export interface PrimaryPosition {
  lsn: string;
  timeline: number;
  cluster: string;
  database: string;
}

/** What a replica has replayed, compared with a position of the primary. */
export interface ReplicaPosition {
  /** Changes each time the server starts. Connections with the same value lead to the same server. */
  server: string;
  hasReplayed: boolean;
  lagBytes: number;
}

// An asynchronous commit is visible before it is written, so the position of the last inserted record is needed.
const primaryQuery = `
  select lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline,
    system_identifier::text as cluster, current_database()::text as database
  from pg_current_wal_insert_lsn() as lsn, pg_control_system()`;

/**
 * If no record follows a page header, the primary's position is behind the header and the replica's before it. The header has at most 40 bytes, and a record
 * at least 24, so no record fits between them.
 */
const replicaQuery = `
  select pg_postmaster_start_time()::text as server, pg_is_in_recovery() as "isStandby",
    system_identifier::text = $2 as "isSameCluster", current_database() = $3 as "isSameDatabase",
    greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline) = $4 as "isSameTimeline",
    lag <= 0 or lag <= 40 and pg_wal_lsn_diff(replayed, '0/0') % current_setting('wal_block_size')::int = 0 as "hasReplayed",
    lag::float8 as "lagBytes"
  from pg_last_wal_replay_lsn() as replayed, pg_wal_lsn_diff($1::pg_lsn, replayed) as lag,
    pg_control_system(), pg_control_checkpoint() as checkpoint, pg_control_recovery() as recovery`;

/** Reads the current position of the primary. @throws PrimaryPositionError, also on a standby */
export async function readPrimaryPosition(query: Query): Promise<PrimaryPosition> {
  try {
    const [position] = await query<PrimaryPosition>(primaryQuery, []);
    if (position) return position;
    throw new Error('No row');
  } catch (cause) {
    throw new PrimaryPositionError('The position of the primary is unknown', { cause });
  }
}

/**
 * Compares what the replica has replayed with a position of the primary.
 * @throws NotAReplicaError if the positions cannot be compared
 */
export async function readReplicaPosition(query: Query, { lsn, cluster, database, timeline }: PrimaryPosition): Promise<ReplicaPosition> {
  const [row] = await query<ReplicaPosition & Record<`is${'Standby' | 'SameCluster' | 'SameDatabase' | 'SameTimeline'}`, boolean>>(
    replicaQuery,
    [lsn, cluster, database, timeline],
  );
  if (!row?.isStandby) throw new NotAReplicaError('the server is not a standby');
  if (!row.isSameCluster) throw new NotAReplicaError('the server belongs to another cluster than the primary');
  if (!row.isSameDatabase) throw new NotAReplicaError('the database has another name than on the primary');
  // After a failover, a standby of the old primary may have replayed changes that the new primary does not have.
  if (!row.isSameTimeline) throw new NotAReplicaError('the server has not yet followed the last failover');
  return row;
}
