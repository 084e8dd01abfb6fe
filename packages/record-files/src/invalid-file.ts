/** The file cannot be imported. The message says why, and begins with the line if there is one. */
export class InvalidFileError extends Error {
  override readonly name = 'InvalidFileError';
  /** Line of the file, from 1. Undefined if the error concerns the file as a whole. */
  readonly line: number | undefined;

  constructor(reason: string, line?: number) {
    super(line === undefined ? reason : `Line ${line}: ${reason}`);
    this.line = line;
  }
}

export const headerTooLong = (line = 1) =>
  new InvalidFileError('The header is too long. Perhaps its line does not end, or a quotation mark is not closed', line);

export const brokenQuote = (line: number) =>
  new InvalidFileError(
    'A quotation mark in the row that begins here is not closed, or is not at an end of its cell. Put such cells in quotation marks, and double those in the text',
    line,
  );

export const rowTooLong = (maxRowBytes: number, line: number) =>
  new InvalidFileError(
    `The row that begins here has more than ${maxRowBytes} bytes. Perhaps a quotation mark or a brace is not closed`,
    line,
  );
