import { createHash } from 'node:crypto';
import { z } from 'zod';
import { validationFailed } from '../request/validation-failed.ts';

/** The position of an entry in a list. */
export interface Position {
  occurredAt: string;
  id: string;
}

const Cursor = z.object({ at: z.iso.datetime({ precision: 3 }), id: z.guid(), filters: z.string() });

/** Encodes the position after which the next page starts. The client may read it: it names an entry of the page. */
export function encodeCursor({ occurredAt, id }: Position, filters: object): string {
  return Buffer.from(JSON.stringify({ at: occurredAt, id, filters: hashOf(filters) })).toString('base64url');
}

/** Decodes a cursor. Throws VALIDATION_FAILED if it is invalid, or belongs to a list with other filters. */
export function decodeCursor(text: string, filters: object): Position {
  const cursor = Cursor.safeParse(parse(text)).data;
  if (!cursor || !isPostgresTime(cursor.at)) throw validationFailed('cursor', 'Expected the nextCursor of the previous page');
  if (cursor.filters !== hashOf(filters)) throw validationFailed('cursor', 'The cursor belongs to other filters');
  return { occurredAt: cursor.at, id: cursor.id };
}

function parse(text: string): unknown {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** PostgreSQL has no year 0. */
const isPostgresTime = (time: string): boolean => !time.startsWith('0000');

/** Absent filters do not count, nor does the order of the fields. */
function hashOf(filters: object): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 16);
}
