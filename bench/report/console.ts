import type { WindowResult } from '../load/window.ts';
import type { EventFigures } from '../measure/events/measure.ts';
import type { FeatureCost } from '../measure/feature-costs.ts';
import type { Results, TotalResult, WorkResult } from '../results.ts';
import type { Evaluated } from '../targets.ts';
import { significant, textTable } from './table.ts';

const columns = ['per second', 'p50 ms', 'p99 ms', 'server CPU µs', 'PostgreSQL CPU µs', 'statements', 'CPU ratio'];

/** The report of a run on the console. */
export function consoleReport(
  { works, totals, growths, features, events, memory, startMs }: Results,
  evaluated: readonly Evaluated[],
): string {
  const parts: string[] = [];
  if (works.length > 0) parts.push(textTable(['work', ...columns], works.flatMap(rowsOf)));
  if (totals.length > 0) parts.push(textTable(['with PostgreSQL, against the bare floor', ...totalColumns], totals.map(totalCells)));
  if (growths.length > 0)
    parts.push(
      textTable(
        ['growth (one connection)', 'small ms', 'large ms', 'ratio'],
        growths.map(({ name, small, large, ratio }) => [name, ...[small, large, ratio].map(significant)]),
      ),
    );
  if (features) {
    parts.push(textTable(['feature, per write', 'server CPU µs', 'PostgreSQL CPU µs', 'statements'], features.costs.map(costCells)));
    parts.push(
      textTable(
        ['stored per write', 'bytes'],
        features.stored.map(({ name, bytesPerWrite }) => [name, significant(bytesPerWrite)]),
      ),
    );
  }
  if (memory) {
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    const { idle, oneUpload, tenUploads, uploadBytes } = memory;
    parts.push(
      `Memory: ${megabytes(idle)} idle, ${megabytes(oneUpload)} during an upload of ${megabytes(uploadBytes)}, ${megabytes(tenUploads)} during ten at once`,
    );
  }
  if (events) parts.push(textTable(['events', 'value'], eventRows(events)));
  if (startMs !== undefined) parts.push(`Start: ${startMs.toFixed(0)} ms until it accepts connections`);
  parts.push(
    textTable(
      ['target', 'figure', 'limit', 'value', 'met'],
      evaluated.map(({ name, figure, limit, value, met }) => [name, figure, limit, significant(value), met ? 'yes' : 'NO']),
    ),
  );
  return parts.join('\n\n');
}

/** The figures of events as rows of a table. */
export function eventRows({ others, largePage, quietPage, streams, deliveries }: EventFigures): string[][] {
  const ms = (value: number) => `${significant(value)} ms`;
  const { streams: open, readers, writesPerSecond, bytesPerStream } = streams;
  return [
    ['Page of 1,000 events', `p50 ${ms(largePage.p50)}, p95 ${ms(largePage.p95)}`],
    [
      `Page of events of a tenant without any, in a journal with ${others.toLocaleString('en')} events of others`,
      `p50 ${ms(quietPage.p50)}, p95 ${ms(quietPage.p95)}`,
    ],
    [
      `${open} event streams, ${writesPerSecond} writes per second, each for ${readers} streams: from the response of the write to its event`,
      `p50 ${ms(streams.p50)}, p99 ${ms(streams.p99)}`,
    ],
    ['Resident memory of an event stream', `${(bytesPerStream / 1024).toFixed(0)} KiB`],
    [
      `Deliveries of ${deliveries.deliveries.toLocaleString('en')} events to one webhook`,
      `${significant(deliveries.perSecond)} per second, ${significant(deliveries.serverCpu)} µs of server CPU each`,
    ],
  ];
}

export const totalColumns = ['Service, µs', 'PostgreSQL, µs', 'Bare floor, µs', 'PostgreSQL of the bare floor, µs', 'Ratio'];

/** The CPU per request of service and bare floor in the order of the columns. */
export const totalCells = ({ name, subject, reference, totalCpuRatio }: TotalResult): string[] => [
  name,
  ...[subject.serverCpu, subject.postgresCpu, reference.serverCpu, reference.postgresCpu, totalCpuRatio].map(significant),
];

/** The cost of a feature in the order of the columns. */
export const costCells = ({ name, serverCpu, postgresCpu, statements }: FeatureCost): string[] => [
  name,
  significant(serverCpu),
  significant(postgresCpu),
  String(statements),
];

function rowsOf({ name, subject, reference, referenceSide, statements, referenceStatements, cpuRatio }: WorkResult): string[][] {
  return [
    [name, ...cellsOf(subject), significant(statements), significant(cpuRatio)],
    [
      `  ${referenceSide.server}${referenceSide.work === name ? '' : `: ${referenceSide.work}`}`,
      ...cellsOf(reference),
      significant(referenceStatements),
      '',
    ],
  ];
}

/** The figures of a window in the order of the columns. */
export const cellsOf = ({ perSecond, p50, p99, serverCpu, postgresCpu }: WindowResult): string[] =>
  [perSecond, p50, p99, serverCpu, postgresCpu].map(significant);
