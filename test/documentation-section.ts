import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/ci/command.ts';
import { currentCommit } from '../scripts/current-commit.ts';
import { formatFile } from '../scripts/generated-file.ts';

/**
 * Replaces a section of a page that a test writes. Comments in the page enclose it: `<!-- name:start -->` and `<!-- name:end -->`.
 * @param page path from the root  @param origin which command wrote it; the date and the commit follow
 * @throws Error if the page has no such section
 */
export async function writeSection(page: string, name: string, origin: string, content: string): Promise<void> {
  const file = join(root, page);
  const head = `${origin} on ${new Date().toISOString().slice(0, 10)} at commit ${currentCommit()}.`;
  writeFileSync(file, await formatFile(page, withSection(readFileSync(file, 'utf8'), name, `${head}\n\n${content}`)));
}

/** Returns the page with the content between the comments of the section. */
export function withSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page has no section ${start} … ${end}`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
