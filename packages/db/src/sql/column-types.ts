import pg from 'pg';

const { builtins } = pg.types;
const parseTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => Date;

const parsers: Partial<Record<number, (text: string) => unknown>> = {
  [builtins.TIMESTAMPTZ]: isoTimestamp,
  [builtins.INT8]: Number,
  [builtins.DATE]: (text) => text,
};

function parserOf(oid: number, format: 'text' | 'binary' = 'text'): unknown {
  return (format === 'text' && parsers[oid]) || pg.types.getTypeParser(oid, format);
}

/** Parsers that convert columns to JavaScript values, for one pool or client. The global parsers of pg are not changed. */
export const typeParsers: pg.CustomTypesConfig = { getTypeParser: parserOf as typeof pg.types.getTypeParser };

/** Converts `2026-01-15 12:00:00.5+00` to `2026-01-15T12:00:00.500Z`. In UTC, which all sessions use, this needs no date arithmetic. */
function isoTimestamp(text: string): string {
  const inUtc = text.endsWith('+00') && text[10] === ' ';
  if (!inUtc) return parseTimestamp(text).toISOString();
  const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
