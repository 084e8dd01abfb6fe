import { columnsOf } from './columns.ts';
import { type CsvRow, readCsvRows } from './csv-rows.ts';
import { defaultMaxRowBytes, type Header, readHeader } from './header.ts';
import { headerTooLong } from './invalid-file.ts';
import { LineIndex } from './lines.ts';
import { jsonRowReader } from './ndjson-row.ts';
import { readLines } from './ndjson-rows.ts';
import { type CellError, type FileRow, recordReader } from './records.ts';
import type { ReadOptions } from './read-options.ts';
import { readText, TextCheck } from './text.ts';

export interface RecordFile {
  /** The columns of the header. For NDJSON, those of `body`. */
  columns: readonly string[];
  /** Between the cells of CSV. For NDJSON, a comma. */
  delimiter: string;
  /** Whether the file begins with a byte order mark. */
  bom: boolean;
  /** Up to 200 rows at a time, or fewer if they are long. Throws `InvalidFileError`. `rows.return()` closes the content early. */
  rows: AsyncGenerator<FileRow[]>;
}

/**
 * Opens a file of records. Reads the header of a CSV file, and the rows while the caller asks for them.
 * @throws InvalidFileError if the file is not UTF-8 text, or the header is not that of `body`. The content is closed.
 */
export async function openRecordFile(content: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<RecordFile> {
  const lines = new LineIndex();
  const check = new TextCheck(lines);
  const blocks = readText(content, check);
  try {
    const file = options.format === 'csv' ? await openCsv(blocks, lines, options) : await openNdjson(blocks, lines, options);
    return { ...file, bom: check.hasBom, rows: closing(inParts(file.rows), blocks) };
  } catch (error) {
    await blocks.return(undefined);
    throw error;
  }
}

/**
 * Makes the same checks as `openRecordFile` on the first bytes of a file: its encoding, and the header of a CSV file.
 * @param head the beginning of the file, with at least the whole header
 * @param complete whether `head` is the whole file
 * @throws InvalidFileError
 */
export function checkFileHead(head: Uint8Array, options: ReadOptions, complete = false): void {
  const lines = new LineIndex();
  const check = new TextCheck(lines);
  const text = check.add(Buffer.from(head.buffer, head.byteOffset, head.byteLength));
  if (complete) check.end();
  if (options.format === 'csv' && !readHeader(text, lines, options, complete)) throw headerTooLong(lines.firstFrom(0)?.line);
}

/** Yields the rows of a block of the file. */
type Rows = AsyncGenerator<Iterable<FileRow>>;
type OpenFile = Pick<RecordFile, 'columns' | 'delimiter'> & { rows: Rows };

async function openCsv(blocks: AsyncGenerator<Buffer>, lines: LineIndex, options: ReadOptions): Promise<OpenFile> {
  const { header, rest } = await takeHeader(blocks, lines, options);
  const { maxRowBytes = defaultMaxRowBytes } = options;
  const rows = readCsvRows(startingWith(rest, blocks), { lines, maxRowBytes, delimiter: header.delimiter, offset: header.end });
  return { columns: header.names, delimiter: header.delimiter, rows: convertEach(rows, csvRowReader(header, options)) };
}

async function takeHeader(
  blocks: AsyncGenerator<Buffer>,
  lines: LineIndex,
  options: ReadOptions,
): Promise<{ header: Header; rest: Buffer }> {
  let head: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await blocks.next();
    if (!next.done) head = Buffer.concat([head, next.value]);
    const header = readHeader(head, lines, options, next.done === true);
    if (header) return { header, rest: head.subarray(header.end) };
  }
}

function csvRowReader(header: Header, options: ReadOptions) {
  const read = recordReader(header.columns, options);
  const expected = header.names.length;
  return ({ line, cells }: CsvRow, row: number): FileRow => {
    if (cells.length !== expected) {
      const message = `Expected ${expected} cells, found ${cells.length}`;
      return { row, line, input: {}, errors: [{ path: '', message }], cells };
    }
    const errors: CellError[] = [];
    return { row, line, input: read(cells, errors), errors, cells };
  };
}

async function openNdjson(blocks: AsyncGenerator<Buffer>, lines: LineIndex, options: ReadOptions): Promise<OpenFile> {
  // Reject a file that is not text before its rows are read.
  const first = await blocks.next();
  const rows = readLines(
    startingWith(first.done ? Buffer.alloc(0) : first.value, blocks),
    lines,
    options.maxRowBytes ?? defaultMaxRowBytes,
  );
  const columns = columnsOf(options.body);
  return { columns: columns.map(({ name }) => name), delimiter: ',', rows: convertEach(rows, jsonRowReader(columns, options)) };
}

async function* startingWith(first: Buffer, blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* blocks;
}

/** Numbers and converts the rows of each block when they are asked for. */
async function* convertEach<Row>(blocks: AsyncIterable<Row[]>, convert: (row: Row, number: number) => FileRow): Rows {
  let number = 0;
  for await (const rows of blocks) {
    yield convertRows(rows, number, convert);
    number += rows.length;
  }
}

function* convertRows<Row>(rows: readonly Row[], before: number, convert: (row: Row, number: number) => FileRow): Generator<FileRow> {
  for (const [index, row] of rows.entries()) yield convert(row, before + index + 1);
}

const maxRowsOfPart = 200;
/** 1 MiB of the file, so that a part of long rows takes little memory. */
const maxBlocksOfPart = 64;

/** Divides the rows into parts of up to 200 rows and 1 MiB. Before an error, yields the rows before it. */
async function* inParts(blocks: Rows): AsyncGenerator<FileRow[]> {
  let part: FileRow[] = [];
  let blocksOfPart = 0;
  let failure: { error: unknown } | undefined;
  try {
    for await (const rows of blocks) {
      for (const row of rows) {
        part.push(row);
        if (part.length < maxRowsOfPart) continue;
        yield part;
        part = [];
        blocksOfPart = 0;
      }
      blocksOfPart += 1;
      if (part.length === 0 || blocksOfPart < maxBlocksOfPart) continue;
      yield part;
      part = [];
      blocksOfPart = 0;
    }
  } catch (error) {
    failure = { error };
  }
  if (part.length > 0) yield part;
  if (failure) throw failure.error;
}

/** Closes the blocks together with the rows. A generator whose first value was not read does not run its `finally` when it is closed. */
function closing(rows: AsyncGenerator<FileRow[]>, blocks: AsyncGenerator<Buffer>): AsyncGenerator<FileRow[]> {
  const close = rows.return.bind(rows);
  rows.return = async (value) => {
    const result = await close(value);
    await blocks.return(undefined);
    return result;
  };
  return rows;
}
