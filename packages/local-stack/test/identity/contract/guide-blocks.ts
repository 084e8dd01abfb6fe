import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const guide = readFileSync(fileURLToPath(new URL('../../../../../docs/use/single-page-app-login.md', import.meta.url)), 'utf8');

/**
 * Returns the files of one section of docs/use/single-page-app-login.md by path. The first line of each block names its file. The addresses
 * of the demo are replaced.
 */
export function guideFiles(section: string, replacements: Record<string, string>): Record<string, string> {
  const text = guide.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const blocks = [...text.matchAll(/```(?:js|html)\n(?:\/\/|<!--) (\S+)(?: -->)?\n(.*?)```/gs)];
  const replaced = (content: string) => Object.entries(replacements).reduce((done, [from, to]) => done.replaceAll(from, to), content);
  return Object.fromEntries(blocks.map(([, name = '', content = '']) => [`/${name}`, replaced(content)]));
}
