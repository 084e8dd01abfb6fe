/** Columns of a line, as in .prettierrc.json. Prettier does not wrap comments. */
const columns = 140;

/** Writes a doc comment: on one line if it fits, otherwise wrapped. Empty without text. @param indent spaces before it */
export function docComment(text: string | undefined, indent = 0): string {
  if (!text) return '';
  const oneLine = `/** ${text} */\n`;
  if (indent + oneLine.length - 1 <= columns && !text.includes('\n')) return oneLine;
  const lines = text.split('\n').flatMap((paragraph) => wrap(paragraph, columns - indent - ' * '.length));
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}
