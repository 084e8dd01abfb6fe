import { setTimeout as pause } from 'node:timers/promises';
import { check, type SuiteResult } from '../load-test/check.ts';
import type { Server } from '../servers/server.ts';
import { checkReported, checkStored, hasEnded, newFile, upload, waitFor } from './files.ts';
import { type Bulk, size } from './measured.ts';

/** Part of the rows of the other suites. */
const shareOfRows = 0.2;
/** Fewer would be done before the kill. */
const leastRowsPerKill = 1_000;
const pollMs = 10;
/** A chunk of rows takes about 50 ms. */
const longestPauseMs = 100;

/** Lets time pass: another process continues after 20 seconds without a heartbeat. */
const age = `update pgboss.job set heartbeat_on = heartbeat_on - interval '20 seconds' where name = 'imports' and state = 'active'`;

/** Kills the process that runs an import, again and again. Another one continues each time. */
export async function kills({ environment, database, options }: Bulk): Promise<SuiteResult> {
  await using disposables = new AsyncDisposableStack();
  const world = await environment.worldOf(size);
  const start = async (): Promise<Server> =>
    disposables.adopt(await environment.startAnother('service', size, { onAllProcessors: true }), ({ stop }) => stop());
  let running = await start();
  environment.moveOthers('all');
  const file = newFile(Math.max(Math.ceil(options.rows * shareOfRows), leastRowsPerKill * (options.kills + 1)));
  const { id } = await upload({ port: running.port, world }, file, false);
  const progress = async () => {
    type Progress = { processed: number; status: string };
    const { rows } = await database.query<Progress>('select processed, status from imports where id = $1', [id]);
    return rows[0] as Progress;
  };
  const killedAt: number[] = [];
  for (let count = 1; count <= options.kills; count += 1) {
    // The only other process continues.
    const next = await start();
    const until = Math.floor((file.rows * count) / (options.kills + 1));
    while ((await progress()).processed < until) await pause(pollMs);
    await pause(Math.random() * longestPauseMs);
    process.kill(running.pid, 'SIGKILL');
    await running.stop();
    const { processed, status } = await progress();
    if (status === 'RUNNING') killedAt.push(processed);
    await database.query(age);
    running = next;
  }
  const done = await waitFor({ port: running.port, world }, id, hasEnded);
  const checks = [
    check('kills: while the import ran', String(options.kills), String(killedAt.length), killedAt.length === options.kills),
    checkReported('kills', done, file),
    ...(await checkStored(database, 'kills', done, file, file.rows)),
  ];
  return { checks, figures: [`kills: after ${killedAt.join(', ')} of ${file.rows} rows`] };
}
