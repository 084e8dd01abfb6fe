import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './command.ts';

/** Copies the example frontend by the commands of its README, then type-checks and builds the copy. */
export async function copyExampleFrontend(): Promise<void> {
  const readme = await readFile(join(root, 'examples', 'frontend', 'README.md'), 'utf8');
  const [, commands = ''] = /^## Use it for your own page\n\n.*\n\n((?: {4}.*\n)+)/m.exec(readme) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'profile-frontend-copy-'));
  // In the README, `..` is the folder that contains the repository and the copy.
  const script = commands
    .replaceAll('npm run dev', 'npm run typecheck && npm run build')
    .replaceAll(' ..\n', ` ${folder}\n`)
    .replaceAll('cd ../', `cd ${folder}/`);
  if (!script.includes('npm run build')) throw new Error('The README of the example frontend has no commands that copy it.');
  try {
    await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
