/** A table of formatted cells. The columns whose heads are in `right` are aligned right. */
export interface Table {
  head: string[];
  rows: string[][];
  right?: string[];
}

export function markdownTable({ head, rows, right = [] }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((title) => (right.includes(title) ? '--:' : '---'))), ...rows.map(line)].join('\n');
}

/** Replaces each `{{name}}` of a template. @throws Error if a name has no text, or a text no name */
export function fillTemplate(template: string, texts: Record<string, string>): string {
  const unused = new Set(Object.keys(texts));
  const filled = template.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`The template has the unknown name ${name}`);
    unused.delete(name);
    return text;
  });
  if (unused.size > 0) throw new Error(`The template lacks ${[...unused].join(', ')}`);
  return filled;
}
