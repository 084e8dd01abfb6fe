import { ImportResult } from '@profile-service/contracts';
import type { ImportResultRow } from '@profile-service/db';
import { cellsOf, columnsOf, csvLines, escapeOnce, type FileRow, type RecordFile } from '@profile-service/record-files';

const columns = columnsOf(ImportResult);
const names = columns.map(({ name }) => name);

/** The result as the contract declares it. */
const show = ({ row, status, recordId, code, errors }: ImportResultRow) => ({ row, status, id: recordId, code, errors: errors ?? [] });

/** Writes results without the rows of the file. @param lines writes records */
export async function* writeResults(
  parts: AsyncIterable<ImportResultRow[]>,
  lines: (records: readonly unknown[]) => string,
): AsyncGenerator<string> {
  for await (const part of parts) yield lines(part.map(show));
}

/**
 * Writes results as CSV, each followed by its row of the file, with the delimiter and the byte order mark of the file: what has written the file can open them.
 * The columns of results that the file has itself are left out.
 */
export function writeResultsWithRows(
  parts: AsyncIterable<ImportResultRow[]>,
  file: RecordFile,
): { head: string; parts: AsyncGenerator<string> } {
  const own = file.columns.flatMap((name, index) => (names.includes(name) ? [] : [index]));
  const head = csvLines([[...names, ...own.map((index) => file.columns[index] ?? '')]], file.delimiter);
  return { head: (file.bom ? '\uFEFF' : '') + head, parts: joinRows(parts, file, own) };
}

async function* joinRows(
  parts: AsyncIterable<ImportResultRow[]>,
  { rows, delimiter }: RecordFile,
  own: readonly number[],
): AsyncGenerator<string> {
  let fileRows: FileRow[] = [];
  /** Both are in the order of the rows. */
  const cellsOfRow = async (row: number): Promise<readonly string[]> => {
    while ((fileRows.at(-1)?.row ?? 0) < row) {
      const next = await rows.next();
      if (next.done) throw new Error(`The file has no row ${row}`);
      fileRows = next.value;
    }
    return fileRows.find((each) => each.row === row)?.cells ?? [];
  };
  try {
    for await (const part of parts) {
      const lines: string[][] = [];
      for (const result of part) {
        const cells = await cellsOfRow(result.row);
        lines.push([...cellsOf(show(result), columns), ...own.map((index) => escapeOnce(cells[index] ?? ''))]);
      }
      yield csvLines(lines, delimiter);
    }
  } finally {
    await rows.return(undefined);
  }
}
