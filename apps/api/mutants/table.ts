import { mutants } from './list/index.ts';

const head = ['What somebody could do', 'Broken in', 'Noticed by'];
const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** The document with the table of all mutants in the place of the one that it has under this head. */
export function fillIn(document: string): string {
  const rows = mutants.map(({ why, file, test }) => [why, `\`${file}\``, test ? `\`${test}\`` : 'the isolation test']);
  const table = [head, head.map(() => '---'), ...rows].map(line).join('\n');
  return document.replace(/^\| What somebody could do .*\n(?:\|.*\n)*/m, () => `${table}\n`);
}
