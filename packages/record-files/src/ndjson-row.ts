import type { Column } from './columns.ts';
import { forbiddenIn } from './json.ts';
import type { ReadOptions } from './read-options.ts';
import type { TextLine } from './ndjson-rows.ts';
import type { FileRow } from './records.ts';
import { cellsOf } from './write.ts';

/** Creates the reader of the lines of an NDJSON file. A line that is not a JSON object is a row with an error. */
export function jsonRowReader(
  columns: readonly Column[],
  { body, ignored = [], checkJson }: Pick<ReadOptions, 'body' | 'ignored' | 'checkJson'>,
) {
  const removed = ignored.filter((name) => !Object.hasOwn(body.shape, name));
  return ({ line, text }: TextLine, row: number): FileRow => {
    const invalid = (path: string, message: string): FileRow => ({
      row,
      line,
      input: {},
      errors: [{ path, message }],
      cells: columns.map(() => ''),
    });
    const parsed = parseObject(text);
    if (typeof parsed === 'string') return invalid('', parsed);
    const rejected = checkJson?.(text);
    if (rejected) return invalid(rejected.path, rejected.message);
    for (const name of removed) if (Object.hasOwn(parsed, name)) Reflect.deleteProperty(parsed, name);
    return { row, line, input: parsed, errors: [], cells: cellsOf(parsed, columns) };
  };
}

/** Returns the object, or why it is rejected. */
function parseObject(text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return notObject;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notObject;
  return forbiddenIn(value) ?? (value as Record<string, unknown>);
}

const notObject = 'Expected a JSON object';
