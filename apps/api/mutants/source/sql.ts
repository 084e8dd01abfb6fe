/** A range of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds the statements that create an SQL function, trigger or table. */
export function sqlDefinitionsOf(text: string, name: string): Range[] {
  const create = new RegExp(`create (?:or replace )?(?:function|trigger|table) ${name}\\b`, 'g');
  return [...text.matchAll(create)].map(({ index: start }) => ({ start, end: endOfStatement(text, start) }));
}

/** The position of the semicolon after a statement, or of the end of the template with it. */
function endOfStatement(text: string, start: number): number {
  const tokens = text.slice(start).matchAll(/\$\$[^]*?\$\$|--.*|'[^']*'|;|`/g);
  const end = [...tokens].find(([token]) => token === ';' || token === '`');
  return start + (end?.index ?? 0);
}

/** Finds a text in a range. White space does not matter. */
export function findSql(text: string, { start, end }: Range, sql: string): Range[] {
  const words = sql
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/\W/g, String.raw`\$&`));
  const found = text.slice(start, end).matchAll(new RegExp(words.join(String.raw`\s+`), 'g'));
  return [...found].map(({ 0: { length }, index }) => ({ start: start + index, end: start + index + length }));
}
