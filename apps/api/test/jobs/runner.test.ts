import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Database, migrate, unscoped } from '@profile-service/db';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../../../../test/database.ts';
import type { AnyJob, Job, JobDependencies } from '../../src/jobs/job.ts';
import { passwordMail } from '../../src/jobs/password-mail.ts';
import { storageCleanup } from '../../src/jobs/storage-cleanup.ts';
import { webhookDelivery } from '../../src/jobs/webhook-delivery.ts';
import { type JobRunner, type RunnerOptions, startJobRunner } from '../../src/jobs/runner.ts';
import { createLog } from '../../src/observability/log.ts';
import { startProxy } from '../../../../test/proxy.ts';

/** The jobs have the names of real ones and functions of the test. Tests change the times in the database instead of waiting. */
let url: string;
let database: Database;
beforeAll(async () => {
  url = await createTestDatabase();
  database = connect({ connectionString: url, max: 4 });
});
afterAll(() => database.close());
beforeEach(() => sql('delete from pgboss.job'));

const sql = async <Found extends object>(text: string, values: unknown[] = []) => (await database.pool.query<Found>(text, values)).rows;
const stateOf = async (id: string) => {
  const text = "select state, retry_count as retries from pgboss.job where data ->> 'userId' = $1";
  return (await sql<{ state: string; retries: number }>(text, [id]))[0];
};
/** Makes a running job look as if its process had died 61 s ago. */
const abandon = (id: string) => sql("update pgboss.job set started_on = now() - interval '61 s' where data ->> 'userId' = $1", [id]);
/** Makes all jobs due now. */
const makeDue = () => sql('update pgboss.job set start_after = now()');

/** Starts a runner, as each process does. `lines` are the messages of its log. */
function startRunner(jobs: AnyJob[], options: Partial<RunnerOptions> & { connectionString?: string } = {}) {
  const { connectionString = url, ...others } = options;
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
  const metrics = { ran: () => undefined };
  const own = connect({ connectionString, max: 3 });
  const dependencies = { database: own, log } as JobDependencies;
  const runner = startJobRunner({ jobs, dependencies, metrics, stopMs: 2_000, ...others });
  // The pool cannot be closed twice.
  onTestFinished(() => (own.pool.ended ? undefined : runner.stop()));
  return { runner, lines, pool: own.pool };
}

const mail = (run: (userId: string) => Promise<void> | void, pollSeconds = 0.5): Job<{ userId: string }> => ({
  ...passwordMail,
  pollSeconds,
  run: async ({ userId }) => run(userId),
});

/** Adds a job in a transaction of its own. */
async function add(runner: JobRunner, userId: string, fail = false): Promise<void> {
  const effects: (() => void)[] = [];
  await database.transaction(async (executor) => {
    const transaction = { unscoped: unscoped(executor), afterCommit: (effect: () => void) => effects.push(effect) };
    await runner.add(transaction, passwordMail, { userId });
    if (fail) throw new Error('rolled back');
  });
  for (const effect of effects) effect();
}

/** A promise that the test resolves. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  return { open: resolve, passed: promise };
}

describe('a job', () => {
  test('runs right after the commit, not at the next poll, and does not exist when its transaction was rolled back', async () => {
    const ran: string[] = [];
    const { runner } = startRunner([mail((id) => void ran.push(id), 3_600)]);
    await add(runner, 'first');
    await expect.poll(() => ran).toEqual(['first']);
    await expect.poll(() => stateOf('first')).toMatchObject({ state: 'completed' });
    await expect(add(runner, 'nobody', true)).rejects.toThrow('rolled back');
    expect(await stateOf('nobody')).toBeUndefined();
    await add(runner, 'second');
    await expect.poll(() => ran).toEqual(['first', 'second']);
  });

  test('runs once, however many processes look for it', async () => {
    const ran: string[] = [];
    const ids = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const processes = Array.from({ length: 3 }, () => startRunner([mail((id) => void ran.push(id))]));
    for (const [index, id] of ids.entries()) await add(processes[index % 3]!.runner, id);
    await expect.poll(() => ran.toSorted()).toEqual(ids.toSorted());
    await Promise.all(processes.map(({ runner }) => runner.stop()));
    expect(ran).toHaveLength(ids.length);
  });

  // Rules: IDENTITY-5
  test('runs in another process after its own died', async () => {
    const { open, passed } = gate();
    const dying = startRunner([mail(() => passed)]);
    await add(dying.runner, 'owed');
    await expect.poll(() => stateOf('owed')).toMatchObject({ state: 'active' });
    await abandon('owed');
    const ran: string[] = [];
    startRunner([mail((id) => void ran.push(id))], { superviseSeconds: 1 });
    await expect.poll(() => stateOf('owed')).toMatchObject({ state: 'retry' });
    // The first process no longer owns the job, so its result is ignored.
    open();
    await dying.runner.stop();
    expect(await stateOf('owed')).toMatchObject({ state: 'retry' });
    await makeDue();
    await expect.poll(() => ran).toEqual(['owed']);
    await expect.poll(() => stateOf('owed')).toMatchObject({ state: 'completed', retries: 1 });
  });

  test('is aborted when another process may run it: it was paused for longer than its heartbeat', async () => {
    const signals: AbortSignal[] = [];
    const job: Job = {
      ...storageCleanup,
      queue: { ...storageCleanup.queue, heartbeatSeconds: 10 },
      repeat: { firstAfterSeconds: 0, everySeconds: 3_600 },
      pollSeconds: 0.5,
      run: async (_data, { signal }) => {
        signals.push(signal);
        await once(signal, 'abort');
      },
    };
    startRunner([job]);
    await expect.poll(() => signals).toHaveLength(1);
    await sql("update pgboss.job set state = 'retry' where state = 'active'");
    // A heartbeat is sent each 5 seconds.
    await expect.poll(() => signals[0]?.aborted, { timeout: 15_000 }).toBe(true);
  });

  test('that fails stores only the reason of the error, and is given up with a log line after its last retry', async () => {
    const error = Object.assign(new Error('refused'), { request: { authorization: 'Bearer secret' } });
    const { runner, lines } = startRunner([mail(() => Promise.reject(error))]);
    await add(runner, 'failing');
    await expect.poll(() => stateOf('failing')).toMatchObject({ state: 'retry' });
    const [stored] = await sql<{ output: string }>('select output::text from pgboss.job');
    expect(stored?.output).toContain('Error: refused');
    expect(stored?.output).not.toContain('secret');
    await sql('update pgboss.job set retry_count = retry_limit - 1');
    await makeDue();
    await expect.poll(() => stateOf('failing')).toMatchObject({ state: 'failed' });
    expect(lines).toEqual(['job failed, will be retried', 'job failed and was given up']);
  });
});

test('a repeating job waits once per deployment, and again before each run, also one that fails', async () => {
  const waiting = () =>
    sql("select round(extract(epoch from start_after - created_on))::int as seconds from pgboss.job where state = 'created'");
  let runs = 0;
  const repeat = { firstAfterSeconds: 300, everySeconds: 3_600 };
  const job: Job = { ...storageCleanup, pollSeconds: 0.5, repeat, run: () => Promise.reject(new Error(`run ${(runs += 1)}`)) };
  const first = startRunner([job]);
  await expect.poll(waiting).toEqual([{ seconds: 300 }]);
  // The second runner has started the repeating job before it runs the mail.
  const sent: string[] = [];
  const second = startRunner([job, mail((id) => void sent.push(id))]);
  await add(second.runner, 'started');
  await expect.poll(() => sent).toEqual(['started']);
  expect(await waiting()).toEqual([{ seconds: 300 }]);
  await makeDue();
  await expect.poll(waiting).toEqual([{ seconds: 3_600 }]);
  await makeDue();
  await expect.poll(() => runs).toBe(2);
  await expect.poll(waiting).toEqual([{ seconds: 3_600 }]);
  expect(await sql("select 1 from pgboss.job where state = 'retry'")).toEqual([]);
  await first.runner.stop();
});

test('a job of which one runs at a time starts in another process within 10 seconds after its end, however long it ran', async () => {
  const { open, passed } = gate();
  const runs: string[] = [];
  const repeat = { firstAfterSeconds: 0, everySeconds: 1 };
  const job = (process: string, end: Promise<void>): Job => ({
    ...webhookDelivery,
    pollSeconds: 0.5,
    repeat,
    run() {
      runs.push(process);
      return end;
    },
  });
  const first = startRunner([job('first', passed)]);
  await expect.poll(() => runs).toEqual(['first']);
  // The supervision finds it running.
  await sql("update pgboss.queue set singletons_active = '{NULL}' where name = 'webhook-delivery'");
  startRunner([job('second', passed)]);
  await pause(1_000);
  const stopped = first.runner.stop();
  open();
  await stopped;
  await expect.poll(() => runs, { timeout: 10_000 }).toContain('second');
}, 20_000);

describe('while the database is not usable', () => {
  const paused = 'jobs are paused: the job queue cannot use the database';
  test('the log says so once, and jobs continue when it is back', async () => {
    const proxy = await startProxy(url);
    onTestFinished(() => proxy.stop());
    const { open, passed } = gate();
    const ran: string[] = [];
    const job = mail((id) => (ran.push(id) === 1 ? passed : undefined));
    const { runner, lines } = startRunner([job], { connectionString: proxy.url, superviseSeconds: 1 });
    await add(runner, 'interrupted');
    await expect.poll(() => ran).toEqual(['interrupted']);
    proxy.cut();
    // The result cannot be stored.
    open();
    await expect.poll(() => lines).toEqual([paused]);
    await abandon('interrupted');
    proxy.forward();
    await expect.poll(() => stateOf('interrupted')).toMatchObject({ state: 'retry' });
    await makeDue();
    await expect.poll(() => stateOf('interrupted')).toMatchObject({ state: 'completed' });
    expect(ran).toEqual(['interrupted', 'interrupted']);
    expect(lines).toEqual([paused, 'jobs run again']);
  });

  test('because it is not migrated, the log says so once, jobs cannot be added, and they run after the migration', async () => {
    const connectionString = await createEmptyDatabase();
    const { runner, lines, pool } = startRunner([mail(() => undefined)], { connectionString });
    const attempts = vi.spyOn(pool, 'connect');
    await expect(add(runner, 'nobody')).rejects.toThrow('pg-boss is not installed');
    await expect.poll(() => attempts.mock.calls.length).toBeGreaterThan(2);
    expect(lines).toEqual([paused]);
    await migrate(connectionString);
    await expect.poll(() => lines).toEqual([paused, 'jobs run again']);
  });
});

test('the start writes the retry policies of the jobs', async () => {
  startRunner([mail(() => undefined)]);
  const policy = () => sql("select retry_limit, retry_delay_max from pgboss.queue where name = 'password-mail'");
  await expect.poll(policy).toEqual([{ retry_limit: 30, retry_delay_max: 3_600 }]);
  await sql('update pgboss.queue set retry_limit = 1, retry_delay_max = null');
  startRunner([mail(() => undefined)]);
  await expect.poll(policy).toEqual([{ retry_limit: 30, retry_delay_max: 3_600 }]);
});

describe('a stop', () => {
  test('closes the connections although the drain has failed', async () => {
    const { runner, pool } = startRunner([mail(() => undefined)]);
    await add(runner, 'first');
    await expect.poll(() => stateOf('first')).toMatchObject({ state: 'completed' });
    const failure = new Error('no worker can be stopped');
    vi.spyOn(PgBoss.prototype, 'offWork').mockRejectedValueOnce(failure);
    await expect(runner.stop()).rejects.toThrow(failure);
    expect(pool.ended).toBe(true);
  });

  test('waits for the running job and starts no other', async () => {
    const { open, passed } = gate();
    const ran: string[] = [];
    const { runner } = startRunner([mail((id) => (ran.push(id) > 0 ? passed : undefined))]);
    await add(runner, 'running');
    await expect.poll(() => ran).toEqual(['running']);
    await add(runner, 'waiting');
    const stopped = runner.stop();
    expect(await Promise.race([stopped.then(() => 'stopped'), pause(300, 'waits')])).toBe('waits');
    open();
    await stopped;
    // A request may end after the runner.
    await add(runner, 'late');
    expect(await stateOf('late')).toMatchObject({ state: 'created' });
    expect(ran).toEqual(['running']);
    expect(await stateOf('running')).toMatchObject({ state: 'completed' });
    expect(await stateOf('waiting')).toMatchObject({ state: 'created' });
  });

  test('returns a job that does not end to the queue', async () => {
    const { runner } = startRunner([mail(() => gate().passed)], { stopMs: 100 });
    await add(runner, 'endless');
    await expect.poll(() => stateOf('endless')).toMatchObject({ state: 'active' });
    await runner.stop();
    expect(await stateOf('endless')).toMatchObject({ state: 'retry' });
  });
});
