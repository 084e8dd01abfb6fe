import type { Dispatcher } from 'undici';

/** How many bytes of a response are read. */
const limitBytes = 16 * 1024;
/** How many characters of it are logged. */
const loggedCharacters = 1024;
/** A character has at most 4 bytes. */
const loggedBytes = 4 * loggedCharacters;
const longestRetryAfterSeconds = 3600;

/** Collects the beginning of a response body. */
export class BodyStart {
  readonly #chunks: Buffer[] = [];
  #kept = 0;

  /** Reads a body up to 16 KiB. Closes its connection if it is longer. @throws Error if the body does not arrive */
  async read(body: Dispatcher.ResponseData['body']): Promise<void> {
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      this.#keep(chunk);
      length += chunk.length;
      if (length > limitBytes) break;
    }
  }

  /** The first 1,024 characters of what has arrived. PostgreSQL cannot store NUL, which is left out. */
  text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    return Array.from(text).slice(0, loggedCharacters).join('').replaceAll('\0', '');
  }

  #keep(chunk: Buffer): void {
    if (this.#kept >= loggedBytes) return;
    // A copy, because the chunk can be a part of a large buffer.
    const part = Buffer.from(chunk.subarray(0, loggedBytes - this.#kept));
    this.#chunks.push(part);
    this.#kept += part.length;
  }
}

/** Reads `Retry-After`: seconds, or a date. @returns seconds from `now` on, at most an hour; null if the header is absent or invalid */
export function parseRetryAfter(value: string, now: number): number | null {
  const text = value.trim();
  // `Date.parse` reads -1 as a year.
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((date - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestRetryAfterSeconds);
}
