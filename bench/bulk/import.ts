import type { Check, SuiteResult } from '../load-test/check.ts';
import { checkReported, checkStored, hasEnded, newFile, upload, waitFor } from './files.ts';
import { type Bulk, checkMemory, checkSpeed, describe, measured } from './measured.ts';

const rowsPerSecond = 1_500;

/** A dry run and an import of the same file. */
export async function importFile(bulk: Bulk): Promise<SuiteResult> {
  const { database, options } = bulk;
  const file = newFile(options.rows);
  const checks: Check[] = [];
  const figures: string[] = [];
  for (const dryRun of [true, false]) {
    const name = dryRun ? 'dry run' : 'import';
    const { result, cost } = await measured(bulk, async (target) => {
      const { id } = await upload(target, file, dryRun);
      return waitFor(target, id, hasEnded);
    });
    const speed = file.rows / ((Date.parse(result.finishedAt ?? '') - Date.parse(result.startedAt)) / 1_000);
    figures.push(describe(name, file.rows, cost));
    checks.push(
      checkReported(name, result, file),
      ...(await checkStored(database, name, result, file, dryRun ? 0 : file.rows)),
      checkMemory(name, cost),
      ...(dryRun ? [] : checkSpeed(`${name}: speed`, speed, rowsPerSecond, 'rows per second', options)),
    );
  }
  return { checks, figures };
}
