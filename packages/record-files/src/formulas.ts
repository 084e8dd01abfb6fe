/** What a spreadsheet could run as a formula, also behind the apostrophes that an earlier escape has added. */
const formula = /^'*[=+\-@\t\r]/;

/** Puts an apostrophe before a text that a spreadsheet could run as a formula. */
export const escapeFormula = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);

/** Removes the apostrophe of `escapeFormula`. */
export const unescapeFormula = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);

/** The cell of a file with exactly one escape, however the file has it. */
export const escapeOnce = (cell: string): string => escapeFormula(unescapeFormula(cell));
