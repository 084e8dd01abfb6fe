import type { Import, ImportProgress } from '@profile-service/client';

const barWidth = 20;
/** Milliseconds between two lines, where no line can be rewritten. */
const lineEveryMs = 5_000;

/** A number with thousands separators. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** A bar such as `[#####---------------]  25 %`. @param share from 0 to 1 */
function bar(share: number): string {
  // Rounded down: 100 % means that all is done.
  const done = Math.floor(share * barWidth);
  return `[${'#'.repeat(done)}${'-'.repeat(barWidth - done)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}

/** A duration such as `0:08` or `1:02:03`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

const mebibytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);

/** Describes how far an import is, in one line. @param rate rows per second, or undefined if unknown */
export function progressLine(progress: ImportProgress, rate?: number): string {
  if (progress.phase === 'upload') {
    const { loaded, total } = progress;
    if (total === undefined) return `Upload ${mebibytes(loaded)} MiB`;
    return `Upload ${bar(total === 0 ? 1 : loaded / total)}  ${mebibytes(loaded)} of ${mebibytes(total)} MiB`;
  }
  const { status, rows, processed, failed } = progress.import;
  if (status === 'QUEUED') return 'Queued';
  const parts = [`${count(processed)}${rows === null ? '' : ` of ${count(rows)}`} rows`];
  if (rows !== null && rows > 0) parts.unshift(bar(processed / rows));
  if (status === 'RUNNING' && rate) parts.push(`${count(Math.round(rate))} rows/s`);
  if (status === 'RUNNING' && rate && rows !== null) parts.push(`ETA ${clock((rows - processed) / rate)}`);
  parts.push(`${count(failed)} failed`);
  return `Rows   ${parts.join('  ')}`;
}

/** Returns a function that measures the rows per second since its first call with a running import. Undefined if too little has been measured. */
export function createRateMeter(now: () => number): (record: Import) => number | undefined {
  let first: { time: number; processed: number } | undefined;
  return ({ status, processed }) => {
    if (status !== 'RUNNING') return undefined;
    first ??= { time: now(), processed };
    const seconds = (now() - first.time) / 1000;
    return seconds >= 0.2 && processed > first.processed ? (processed - first.processed) / seconds : undefined;
  };
}

interface Output {
  write(text: string): unknown;
  /** Whether a line can be rewritten. */
  isTerminal: boolean;
  /** Characters per line of the terminal. */
  columns(): number;
  /** Milliseconds. */
  now(): number;
}

/** Shows progress: on a terminal in one line that is rewritten, otherwise in lines, at each change of the status and every 5 seconds. */
export function createProgressView({ write, isTerminal, columns, now }: Output) {
  const measure = createRateMeter(now);
  let isLineOpen = false;
  let last: { kind: string; time: number } | undefined;
  return {
    show(progress: ImportProgress): void {
      const line = progressLine(progress, progress.phase === 'rows' ? measure(progress.import) : undefined);
      if (isTerminal) {
        isLineOpen = true;
        // Leaves the last column free: some terminals wrap a full line. `ESC [K` clears the rest of the line.
        return void write(`\r${line.slice(0, columns() - 1)}\u001b[K`);
      }
      const kind = progress.phase === 'upload' ? 'upload' : progress.import.status;
      if (last?.kind === kind && now() - last.time < lineEveryMs) return;
      last = { kind, time: now() };
      write(`${line}\n`);
    },
    /** Ends the rewritten line, so that other output begins on a new one. */
    end(): void {
      if (isLineOpen) write('\n');
      isLineOpen = false;
    },
  };
}
