/** What a spreadsheet could run as a formula, also behind the apostrophes that an earlier escape has added. */
const formula = /^'*[=+\-@\t\r]/;

/** Puts an apostrophe before a text that a spreadsheet could run as a formula. */
export const escapeFormula = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);

/** Removes the apostrophe of `escapeFormula`. */
export const unescapeFormula = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);
