import type { Section } from '../../test/figures/figures.ts';
import type { Table } from '../../test/figures/markdown.ts';
import type { StoredRows } from '../measure/feature-costs.ts';
import type { Results, TotalResult, WorkResult } from '../results.ts';
import type { Evaluated } from '../targets.ts';
import { cellsOf, costCells, eventRows, totalCells, totalColumns } from './console.ts';
import { significant } from './table.ts';

/** The figures of a run as docs/run/figures.md shows them. */
export function benchmarkFigures(results: Results, evaluated: readonly Evaluated[]): Section {
  return {
    run: describeRun(results),
    met: `${evaluated.filter(({ met }) => met).length} of ${evaluated.length} targets are met.`,
    targets: table(
      ['Target', 'Figure', 'Limit', 'Value', 'Met'],
      evaluated.map(({ name, figure, limit, value, met }) => [name, figure, limit, significant(value), met ? 'yes' : '**no**']),
      ['Limit', 'Value'],
    ),
    works: worksTable(results.works),
    totals: totalsTable(results.totals),
    large: `The large one has ${results.largeOrganizations.toLocaleString('en')} organizations.`,
    growths: table(
      ['Request', 'Small, ms', 'Large, ms', 'Ratio'],
      results.growths.map(({ name, small, large, ratio }) => [name.replace('growth: ', ''), ...[small, large, ratio].map(significant)]),
      ['Small, ms', 'Large, ms', 'Ratio'],
    ),
    featureCosts: featureCostsTable(results),
    stored: storedTable(results),
    process: processTable(results),
  };
}

const table = (head: string[], rows: string[][], right: string[]): Table => ({ head, rows, right });

function describeRun({ command, date, commit, machine, rounds, seconds }: Results): string {
  const { processor, processors, memoryBytes, node, postgres } = machine;
  const memory = `${(memoryBytes / 2 ** 30).toFixed(0)} GiB`;
  return `Figures of \`${command}\` on ${date}, commit ${commit}: ${rounds} rounds of ${seconds} s for each server. Machine: ${processor}, ${processors} processors, ${memory} of memory, Node ${node}, PostgreSQL ${postgres}.`;
}

function worksTable(works: readonly WorkResult[]): Table {
  const figures = ['Per second', 'p50, ms', 'p99, ms', 'Server CPU, µs', 'PostgreSQL CPU, µs', 'Statements', 'CPU ratio'];
  const rows = works.flatMap(({ name, subject, reference, referenceSide, statements, referenceStatements, cpuRatio }) => {
    const other = referenceSide.work === name ? referenceSide.server : `${referenceSide.server}, ${referenceSide.work}`;
    return [
      [name, 'service', ...cellsOf(subject), significant(statements), significant(cpuRatio)],
      ['', other, ...cellsOf(reference), significant(referenceStatements), ''],
    ];
  });
  return table(['Request', 'Server', ...figures], rows, figures);
}

function totalsTable(totals: readonly TotalResult[]): Table {
  return table(['Request', ...totalColumns], totals.map(totalCells), totalColumns);
}

function featureCostsTable({ features }: Results): Table {
  const figures = ['Server CPU, µs', 'PostgreSQL CPU, µs', 'Statements'];
  return table(['Feature', ...figures], features?.costs.map(costCells) ?? [], figures);
}

const writesPerDay = 10 * 24 * 3600;
/** How many days rows stay with the default settings. The journal drops whole months, so that its oldest entries stay up to a month longer. */
const keptDays: Record<StoredRows['name'], number> = { journal: 365 + 31, 'stored response': 1 };

function storedTable({ features }: Results): Table {
  const figures = ['Bytes per write', 'A year, GB', 'Kept, days', 'On disk, GB'];
  const rows = (features?.stored ?? []).map(({ name, bytesPerWrite }) => {
    const days = keptDays[name];
    const gigabytes = (kept: number) => significant((bytesPerWrite * writesPerDay * kept) / 1e9);
    return [name, bytesPerWrite.toFixed(0), gigabytes(365), String(days), gigabytes(days)];
  });
  return table(['Row', ...figures], rows, figures);
}

function processTable({ memory, startMs, events }: Results): Table {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const rows: string[][] = [];
  if (memory) {
    const size = `${(memory.uploadBytes / 2 ** 20).toFixed(0)} MiB`;
    rows.push(
      ['Resident memory, idle', megabytes(memory.idle)],
      [`Largest resident memory during an upload of ${size}`, megabytes(memory.oneUpload)],
      [`Largest resident memory during ten uploads of ${size} at once`, megabytes(memory.tenUploads)],
    );
  }
  if (startMs !== undefined)
    rows.push(['Start of the process until it accepts connections, migrated database', `${startMs.toFixed(0)} ms`]);
  if (events) rows.push(...eventRows(events));
  return table(['Figure', 'Value'], rows, ['Value']);
}
