import { CsvError, parse } from 'csv-parse';
import { brokenQuote, rowTooLong } from './invalid-file.ts';
import type { LineIndex, LineStart } from './lines.ts';

/** A row of a CSV file that is not empty. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvRowsOptions {
  readonly delimiter: string;
  readonly maxRowBytes: number;
  /** Contains the blocks that have been read. */
  readonly lines: LineIndex;
  /** Offset of the first block in the file. */
  readonly offset: number;
}

/** Bytes that the parser may hold back until it has more. */
const lookahead = 64;

/** Yields the rows that end in each block, without rows whose cells are all empty. Before an error, yields the rows before it. @throws InvalidFileError */
export async function* readCsvRows(blocks: AsyncIterable<Buffer>, options: CsvRowsOptions): AsyncGenerator<CsvRow[]> {
  const rows = new RowCollector(options);
  const parser = createParser(options.delimiter, (cells, end) => {
    rows.add(cells, end);
  });
  let written = options.offset;
  try {
    for await (const block of blocks) {
      const failure = await parser.write(block);
      yield rows.take();
      if (failure) throw rows.invalid(failure);
      written += block.length;
      rows.checkLength(written - lookahead);
    }
    const failure = await parser.end();
    yield rows.take();
    if (failure) throw rows.invalid(failure);
  } finally {
    parser.close();
  }
}

type Failure = Error | null | undefined;

/** @param onRow called with the cells of a row, and the number of bytes up to its end. If it throws, that is the failure. */
function createParser(delimiter: string, onRow: (cells: readonly string[], end: number) => void) {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // The rows do not pass through the stream: it would discard those before an error.
    on_record: (cells: string[], { bytes }) => {
      onRow(cells, bytes);
      return null;
    },
  });
  // Failures are returned.
  parser.on('error', () => {});
  return {
    write: (block: Buffer) => new Promise<Failure>((resolve) => parser.write(block, resolve)),
    end: () => new Promise<Failure>((resolve) => parser.end(resolve)),
    close: () => parser.destroy(),
  };
}

class RowCollector {
  readonly #options: CsvRowsOptions;
  #rows: CsvRow[] = [];
  /** Offset of the end of the last row. */
  #end: number;

  constructor(options: CsvRowsOptions) {
    this.#options = options;
    this.#end = options.offset;
  }

  add(cells: readonly string[], end: number): void {
    const { line } = this.checkLength(this.#options.offset + end);
    this.#end = this.#options.offset + end;
    if (cells.some((cell) => cell !== '')) this.#rows.push({ line, cells });
  }

  /** Returns where the next row begins, which reaches at least to this offset. @throws InvalidFileError if it is too long */
  checkLength(offset: number): LineStart {
    const { lines, maxRowBytes } = this.#options;
    const start = lines.firstFrom(this.#end) ?? { offset, line: 1 };
    if (offset - start.offset > maxRowBytes) throw rowTooLong(maxRowBytes, start.line);
    return start;
  }

  take(): CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  invalid(failure: Error): Error {
    return failure instanceof CsvError ? brokenQuote(this.#options.lines.firstFrom(this.#end)?.line ?? 1) : failure;
  }
}
