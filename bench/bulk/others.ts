import { join } from 'node:path';
import { atMost, check, type Check, type SuiteResult } from '../load-test/check.ts';
import { allTenants, resultOf } from '../load-test/capacity.ts';
import type { Stream } from '../load-test/stream.ts';
import { startSubject } from '../load-test/subject.ts';
import { startGenerator } from '../load/generator.ts';
import { median } from '../load/statistics.ts';
import { lowerPriority, moveProcesses } from '../servers/processors.ts';
import type { ReadExports } from './export-reader.ts';
import { cancel, hasEnded, headersOf, newFile, type Target, upload, urlOf, waitFor } from './files.ts';
import type { Bulk } from './measured.ts';
import { fullRows } from './options.ts';

const seconds = 5;
const fullRounds = 9;
const maxRatio = 2;
const getsPerSecond = 100;
/** More than are done in a round. */
const rowsOfRound = 30_000;

/** Starts work, and returns what ends it. */
type Begin = (target: Target) => Promise<() => Promise<void>>;

const beginImport: Begin = async (target) => {
  const { id } = await upload(target, newFile(rowsOfRound), false);
  await waitFor(target, id, ({ processed }) => processed > 0);
  return async () => {
    await cancel(target, id);
    await waitFor(target, id, hasEnded);
  };
};

/**
 * Starts the client of exports. It takes only processor time that the generator and PostgreSQL leave: a client runs on another machine. @param disposables gets
 * what must be stopped
 */
function startExportReader(disposables: AsyncDisposableStack): Begin {
  const program = join(import.meta.dirname, 'export-reader.ts');
  const reader = disposables.adopt(startGenerator<ReadExports, object>(program), ({ stop }) => stop());
  moveProcesses([reader.pid], 'others');
  lowerPriority(reader.pid, 19);
  return async (target) => {
    const ended = reader.run({ url: urlOf(target, '/organizations/export'), headers: headersOf(target), seconds: seconds + 1 });
    return async () => void (await ended);
  };
}

/** Measures the gets of tenants alternately, without other work, and during an import or an export of a Global user: their 99th percentile must not double. */
export async function others({ environment, options }: Bulk): Promise<SuiteResult> {
  await using disposables = new AsyncDisposableStack();
  const subject = await startSubject(environment, disposables);
  subject.preferGenerator();
  const gets: Stream = { name: 'gets', traffic: 'get', tenants: allTenants(subject), pace: { perSecond: getsPerSecond } };
  const send = async () => resultOf(await subject.send([gets], seconds), 'gets');
  const isFull = options.rows >= fullRows;
  const checks: Check[] = [];
  const figures: string[] = [];
  for (const [name, begin] of [
    ['import', beginImport],
    ['export', startExportReader(disposables)],
  ] as const) {
    const rounds: { without: Awaited<ReturnType<typeof send>>; during: Awaited<ReturnType<typeof send>> }[] = [];
    while (rounds.length < (isFull ? fullRounds : 1)) {
      const without = await send();
      const end = await begin({ port: subject.server.port, world: subject.world });
      rounds.push({ without, during: await send() });
      await end();
    }
    const p99 = (side: 'without' | 'during') => median(rounds.map((round) => round[side].acceptedP99));
    const failed = rounds.flatMap(({ without, during }) => [without, during]).reduce((sum, { due, accepted }) => sum + due - accepted, 0);
    figures.push(
      `${name}: 99th percentile of the gets of others ${p99('without').toFixed(1)} ms, meanwhile ${p99('during').toFixed(1)} ms`,
    );
    checks.push(
      check(`${name}: gets of others without a response 2xx`, '0', String(failed), failed === 0),
      ...(isFull
        ? [atMost(`${name}: 99th percentile of the gets of others, during / without`, p99('during') / p99('without'), maxRatio, '', 2)]
        : []),
    );
  }
  return { checks, figures };
}
