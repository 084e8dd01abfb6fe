import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from './ci/command.ts';

/**
 * Writes a generated file. If the program runs with `--check`, it fails instead if the committed file is another or missing.
 * @param path of the file, relative to the repository  @param command that generates it
 */
export function writeOrCheck(path: string, text: string, command: string): void {
  const file = join(root, path);
  if (!process.argv.includes('--check')) return writeFileSync(file, text);
  if (committed(file) === text) return;
  console.error(`${path} is out of date. Run \`${command}\` and commit the file.`);
  process.exitCode = 1;
}

/** Writes a generated file that is not committed into `.generated`, and prints its path. */
export function writeUncommitted(name: string, text: string): void {
  mkdirSync(join(root, '.generated'), { recursive: true });
  writeFileSync(join(root, '.generated', name), text);
  console.log(`.generated/${name}`);
}

/** Formats the text of a generated file as Prettier formats the file. @param path of the file, relative to the repository */
export async function formatFile(path: string, text: string): Promise<string> {
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

function committed(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
