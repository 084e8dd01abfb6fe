import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../isolation/random.ts';
import type { Environment } from './environment.ts';
import { record } from './record.ts';

/** How a transaction ends. `die`: its connection is destroyed, before the commit or with it. */
const endings = ['commit', 'rollback', 'hang', 'die'] as const;
type Ending = (typeof endings)[number];

const count = "update organizations set alias = (coalesce(alias, '0')::bigint + 1)::text where id = $1";
/** Forgets the recorded change, so that the next one of the transaction has an event of its own. */
const forgetChange = "select set_config('profile.changes', '', true)";

/** How many organizations a large transaction changes at most. */
const mostChanges = 100;

/** The longest time for which a transaction hangs, in milliseconds. */
const longestHangMs = 3_000;

/** Starts writers on connections of their own. Each transaction raises a counter in the aliases of one or many organizations, so that their events show their order. */
export function startWriters(
  { databaseUrl, organizations }: Pick<Environment, 'databaseUrl' | 'organizations'>,
  writers: number,
  random: Random,
) {
  const done: Record<Ending, number> = { commit: 0, rollback: 0, hang: 0, die: 0 };
  let events = 0;
  const failures: string[] = [];
  let isStopping = false;

  async function connect() {
    const socket = new Socket();
    const client = new pg.Client({ connectionString: databaseUrl, stream: () => socket });
    client.on('error', () => undefined);
    await client.connect();
    return { client, socket };
  }
  function drawEnding(): Ending {
    const number = random.below(1);
    return number < 0.88 ? 'commit' : number < 0.96 ? 'rollback' : number < 0.99 ? 'die' : 'hang';
  }
  /** Draws one organization, or several in the order of their ids, so that writers do not deadlock. */
  function drawOrganizations(): string[] {
    const size = random.chance(0.1) ? 1 + random.index(mostChanges) : 1;
    return [...new Set(Array.from({ length: size }, () => random.pick(organizations) ?? ''))].toSorted();
  }
  /** Runs one transaction. Returns false if the connection is destroyed. */
  async function write({ client, socket }: Awaited<ReturnType<typeof connect>>): Promise<boolean> {
    const ending = drawEnding();
    const recordIds = drawOrganizations();
    await client.query('begin');
    // The id of the transaction is often older than those of later ones that commit first.
    if (random.chance(0.5)) await client.query('select pg_current_xact_id()');
    if (random.chance(0.2)) await pause(random.below(15));
    const isRecorded = ending !== 'die' || random.chance(0.7);
    for (const recordId of recordIds) {
      await client.query(count, [recordId]);
      const { text, values } = record('organization.updated', recordId);
      if (isRecorded) await client.query(text, [...values]);
      if (recordIds.length > 1) await client.query(forgetChange);
    }
    if (ending === 'hang') await pause(random.below(longestHangMs));
    done[ending] += 1;
    if (ending === 'die') {
      // The server may commit although nobody learns of it.
      if (isRecorded && random.chance(0.5)) client.query('commit').catch(() => undefined);
      setImmediate(() => socket.destroy());
      return false;
    }
    const isCommitted = ending === 'commit' || (ending === 'hang' && random.chance(0.7));
    await client.query(isCommitted ? 'commit' : 'rollback');
    if (isCommitted) events += recordIds.length;
    return true;
  }
  async function run(): Promise<void> {
    let connection = await connect();
    while (!isStopping) {
      if (!(await write(connection))) connection = await connect();
    }
    await connection.client.end();
  }
  const running = Promise.all(Array.from({ length: writers }, () => run().catch((error: unknown) => void failures.push(String(error)))));
  return {
    /** How many transactions had each ending. */
    done,
    /** The number of events that the writers know to be committed. */
    events: () => events,
    haveFailed: () => failures.length > 0,
    /** Stops the writers. @returns what failed */
    async stop(): Promise<string[]> {
      isStopping = true;
      await running;
      return failures;
    },
  };
}
