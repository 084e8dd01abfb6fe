import { check, type Check, type SuiteResult } from '../load-test/check.ts';
import { headersOf, type Target, urlOf } from './files.ts';
import { type Bulk, checkMemory, checkSpeed, describe, measured } from './measured.ts';

const rowsPerSecondAndCore = 20_000;
const lineFeed = 10;

/** Exports all organizations with their addresses. */
export async function exportAll(bulk: Bulk): Promise<SuiteResult> {
  const { database, options } = bulk;
  // Autovacuum, which is off, would have done it after the import.
  await database.query('vacuum analyze');
  const { rows: counted } = await database.query<{ count: number }>('select count(*)::int from organizations where deleted_at is null');
  const rows = counted[0]?.count ?? 0;
  const checks: Check[] = [];
  const figures: string[] = [];
  for (const format of ['ndjson', 'csv']) {
    const name = `export as ${format}`;
    const { result, cost } = await measured(bulk, (target) => countLines(target, format));
    const lines = format === 'csv' ? result - 1 : result;
    figures.push(describe(name, lines, cost));
    checks.push(
      check(`${name}: rows`, String(rows), String(lines), lines === rows),
      checkMemory(name, cost),
      ...checkSpeed(
        `${name}: speed`,
        lines / (cost.service + cost.postgres),
        rowsPerSecondAndCore,
        'rows per second of processor time',
        options,
      ),
    );
  }
  return { checks, figures };
}

async function countLines(target: Target, format: string): Promise<number> {
  const response = await fetch(urlOf(target, `/organizations/export?format=${format}`), { headers: headersOf(target) });
  if (response.status !== 200 || !response.body) throw new Error(`The export has the status ${response.status}`);
  let lines = 0;
  const body: AsyncIterable<Uint8Array> = response.body;
  for await (const part of body) for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}
