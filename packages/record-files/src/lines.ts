/** The start of a line that is not empty. */
export interface LineStart {
  /** Bytes before the line, without the byte order mark. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
}

const lf = 10;
const cr = 13;

/**
 * Maps offsets in a file to line numbers. Lines end with LF, CRLF or CR. Holds only the lines since the last query of `firstFrom`, so that memory does not
 * grow with the file.
 */
export class LineIndex {
  #starts: LineStart[] = [];
  #next = 0;
  #line = 1;
  #length = 0;
  #atStart = true;
  #afterCr = false;

  /** Bytes added so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds the next bytes of the file. */
  add(bytes: Uint8Array): void {
    this.#starts = this.#starts.slice(this.#next);
    this.#next = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === lf || byte === cr) {
        if (byte === cr || !this.#afterCr) this.#line += 1;
        this.#atStart = true;
      } else if (this.#atStart) {
        this.#starts.push({ offset: this.#length + at, line: this.#line });
        this.#atStart = false;
      }
      this.#afterCr = byte === cr;
    }
    this.#length += bytes.length;
  }

  /** The first line that is not empty and begins at or after this offset. Undefined if it has not been added. The offsets of queries must ascend. */
  firstFrom(offset: number): LineStart | undefined {
    let start = this.#starts[this.#next];
    while (start && start.offset < offset) {
      this.#next += 1;
      start = this.#starts[this.#next];
    }
    return start;
  }

  /** The number of the line with the byte at this offset, which is no line end, and lies after the last query of `firstFrom`. */
  lineAt(offset: number): number {
    return this.#starts.findLast((start) => start.offset <= offset)?.line ?? 1;
  }
}
