import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'schemathesis');
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const wanted = 'schemathesis needs Python 3.11 or later with venv as `python3` (on Debian: apt-get install python3-venv)';

/** Installs the pinned version of schemathesis unless it is installed. Returns the program. Throws without Python. */
export async function installSchemathesis(): Promise<string> {
  const program = join(folder, 'bin', 'schemathesis');
  const text = await readFile(requirements, 'utf8');
  // Written last: an installation without it is incomplete.
  const stamp = join(folder, 'requirements.txt');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === text && (await exists(program))) return program;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await run('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)']);
  } catch (cause) {
    throw new Error(wanted, { cause });
  }
  await run('python3', ['-m', 'venv', folder]);
  const options = ['--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary=:all:'];
  await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', ...options, '-r', requirements]);
  await writeFile(stamp, text);
  return program;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
