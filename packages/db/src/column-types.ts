import pg from 'pg';

const { builtins } = pg.types;

/** How columns become JavaScript values, for one pool: the parsers of the pg module itself, which all pools of a process share, stay as they are. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    ((format !== 'binary' && ours[oid]) ||
      pg.types.getTypeParser(oid, format)) as unknown) as typeof pg.types.getTypeParser,
};

const ours: Partial<Record<number, (text: string) => unknown>> = {
  [builtins.TIMESTAMPTZ]: isoTimestamp,
  [builtins.INT8]: Number,
  [builtins.DATE]: (text) => text,
};

/** PostgreSQL's `2026-01-15 12:00:00.5+00` as `2026-01-15T12:00:00.500Z`. Sessions in UTC, as ours are, need no date arithmetic. */
export function isoTimestamp(text: string): string {
  const inUtc = text.endsWith('+00') && text[10] === ' ';
  if (!inUtc) return new Date(text).toISOString();
  const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
