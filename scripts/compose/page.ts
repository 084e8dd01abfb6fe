import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ci/command.ts';

/** Returns the text of a section of docs/run/production.md, up to the next heading. */
function sectionOf(heading: string): string {
  const lines = readFileSync(join(root, 'docs/run/production.md'), 'utf8').split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`));
  if (start === -1) throw new Error(`docs/run/production.md has no section "${heading}"`);
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
}

/** Returns the commands of a section of docs/run/production.md, which are its indented lines. */
export function commandsOf(heading: string): string {
  const commands = [...sectionOf(heading).matchAll(/^ {4}(.*)$/gm)].map(([, line = '']) => line);
  if (commands.length === 0) throw new Error(`The section "${heading}" of docs/run/production.md has no commands`);
  return commands.join('\n');
}

/** Returns the configuration of nginx in docs/run/production.md. */
export function nginxConfiguration(): string {
  const text = /^```nginx\n([^]*?)^```$/m.exec(sectionOf('3. Put a TLS proxy in front'))?.[1];
  if (text === undefined) throw new Error('docs/run/production.md has no configuration of nginx');
  return text;
}
