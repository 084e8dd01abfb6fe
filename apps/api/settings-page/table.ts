/** Formats rows as a Markdown table with aligned columns, as Prettier does. The first row is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [
    line(head),
    line(
      widths.map(() => ''),
      '-',
    ),
    ...body.map((row) => line(row)),
  ].join('\n');
}
