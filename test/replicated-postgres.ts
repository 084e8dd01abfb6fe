import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Standby, startPostgres, startStandby } from '@profile-service/local-stack';
import pg from 'pg';
import { fastFolder } from './fast-folder.ts';

/** A standby of a test, whose replay the test can pause. */
export interface TestReplica extends Standby {
  /** Makes it lag: it keeps receiving changes but does not apply them until `resumeReplay`. Resolves when the replay has stopped. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Makes it a primary of its own. */
  promote(): Promise<void>;
}

export interface ReplicatedPostgres {
  /** Connection string of the database `profile` on the primary. */
  url: string;
  /** Starts a standby of the primary. */
  addReplica(): Promise<TestReplica>;
  /** Stops all servers and deletes their data. */
  stop(): Promise<void>;
}

/** Starts an empty PostgreSQL without crash safety, to which standbys can be added. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(await fastFolder(), 'profile-service-replicated-'));
  const dataDir = join(folder, 'primary');
  // Unlike in other tests, commits are not asynchronous: a standby would get them up to 0.6 s later.
  const settings = { fsync: 'off' };
  // The copy for another standby makes a checkpoint, which removes files that a slow standby still reads.
  const primary = await startPostgres({ dataDir, settings: { ...settings, wal_keep_size: '1GB' } });
  const standbys: Standby[] = [];
  return {
    url: primary.url,
    async addReplica() {
      const standby = await startStandby({
        primary: { dataDir, url: primary.url },
        dataDir: join(folder, `standby-${standbys.length + 1}`),
        settings,
      });
      standbys.push(standby);
      const run = (text: string) => query(standby.url, text);
      return {
        ...standby,
        async pauseReplay() {
          await run('select pg_wal_replay_pause()');
          while ((await run('select pg_get_wal_replay_pause_state()')) !== 'paused') await pause(5);
        },
        resumeReplay: async () => void (await run('select pg_wal_replay_resume()')),
        promote: async () => void (await run('select pg_promote()')),
      };
    },
    async stop() {
      await Promise.all(standbys.map((standby) => standby.stop()));
      await primary.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs a query on a connection of its own. Returns its first value. */
async function query(connectionString: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
