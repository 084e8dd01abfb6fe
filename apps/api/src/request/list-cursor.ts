import { createHash } from 'node:crypto';
import { z } from 'zod';
import { validationFailed } from './validation-failed.ts';

/** The cursors of a list without totals. */
export interface ListCursor<Position> {
  /** Encodes the position after which the next page starts. The client may read it: it names an item of the page. */
  encode(position: Position, filters: object): string;
  /** Decodes a cursor. Throws VALIDATION_FAILED if it is invalid, or belongs to a list with other filters. */
  decode(text: string, filters: object): Position;
}

/** Creates the cursors of a list. @param position the fields by which the list is ordered */
export function listCursor<Position extends object>(position: z.ZodType<Position>): ListCursor<Position> {
  const Cursor = position.and(z.object({ filters: z.string() }));
  return {
    encode: (last, filters) => Buffer.from(JSON.stringify({ ...last, filters: hashOf(filters) })).toString('base64url'),
    decode(text, filters) {
      const cursor = Cursor.safeParse(parse(text)).data;
      if (!cursor) throw validationFailed('cursor', 'Expected the nextCursor of the previous page');
      if (cursor.filters !== hashOf(filters)) throw validationFailed('cursor', 'The cursor belongs to other filters');
      return cursor;
    },
  };
}

/** PostgreSQL has no year 0. */
export const isPostgresTime = (time: string): boolean => !time.startsWith('0000-');

function parse(text: string): unknown {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Absent filters do not count, nor does the order of the fields. */
function hashOf(filters: object): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 16);
}
