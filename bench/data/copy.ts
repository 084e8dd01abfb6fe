import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Table } from './tables.ts';

const bytesPerChunk = 256 * 1024;

/** Fills an empty table by COPY. FREEZE leaves no work for a later vacuum, and needs the TRUNCATE in the same transaction. */
export async function copyTable(client: pg.Client, { name, columns, rows }: Table): Promise<void> {
  await client.query('begin');
  await client.query(`truncate ${name}`);
  await pipeline(Readable.from(chunksOf(rows())), client.query(from(`copy ${name} (${columns.join(', ')}) from stdin with (freeze)`)));
  await client.query('commit');
}

/** Rows in COPY's text format. The values contain no tabs, line breaks or backslashes. */
function* chunksOf(rows: Iterable<(string | number | boolean | null)[]>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.map((value) => (value === null ? '\\N' : value)).join('\t')}\n`;
    if (chunk.length < bytesPerChunk) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
