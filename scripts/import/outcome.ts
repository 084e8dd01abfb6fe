import type { Import, ImportResult } from '@profile-service/client';
import { count } from './progress.ts';

/** The exit code of the command for an import that has ended: 0 if all rows succeeded. */
export const exitCodeOf = ({ status, failed }: Import): 0 | 1 => (status === 'COMPLETED' && failed === 0 ? 0 : 1);

/** Describes an import that has ended, in one or two lines. */
export function describeImport(ended: Import): string {
  const { status, code, message, dryRun, rows, processed, created, updated, unchanged, failed, createdAt, finishedAt } = ended;
  const seconds = finishedAt === null ? undefined : (Date.parse(finishedAt) - Date.parse(createdAt)) / 1000;
  const time = seconds === undefined ? '' : ` in ${count(Math.round(seconds))} s`;
  const of = rows === null ? '' : ` of ${count(rows)}`;
  const numbers = `${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(failed)} failed`;
  const reason = code === null ? '' : `\n${code}: ${message ?? ''}`;
  return `${dryRun ? 'Dry run, nothing was changed. ' : ''}${status}${time}: ${count(processed)}${of} rows; ${numbers}.${reason}`;
}

/** Describes a failed row, such as `row 7: VALIDATION_FAILED; name: Too small`. */
export const describeRow = ({ row, code, errors }: ImportResult): string =>
  [`row ${row}: ${code ?? 'failed'}`, ...errors.map(({ path, message }) => `${path}: ${message}`)].join('; ');

/** Splits a text in UTF-8 into its lines. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
