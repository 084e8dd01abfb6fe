import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cachedFolder } from '../cached-folder.ts';
import { run } from './command.ts';

/** Installs Python packages into a folder, so that the machine's own Python stays unchanged. @param packages each with its version */
export async function installPythonPackages(target: string, ...packages: string[]): Promise<void> {
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--upgrade', '--target', target, ...packages]);
}

/** Version of Python and name of the platform: packages have compiled parts. */
const interpreter = (): string =>
  execFileSync('python3', ['-c', 'import sys, sysconfig; print(sys.implementation.cache_tag, sysconfig.get_platform(), sep="-")'], {
    encoding: 'utf8',
  }).trim();

/** Returns a folder of the cache with the packages of a file of requirements, for PYTHONPATH: a virtual environment cannot be moved into the cache. */
export async function cachedRequirements(name: string, requirements: string): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  return cachedFolder(`${name}-${interpreter()}-${hash}`, (target) =>
    installPythonPackages(target, '--require-hashes', '-r', requirements),
  );
}
