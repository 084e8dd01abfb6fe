import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { root } from '../options.ts';

/** The programs of a built service. */
export interface BuiltService {
  main: string;
  migrate: string;
  geography: string;
}

/** Builds the service of this checkout for production. @param main a service that is already built, which is used instead */
export async function buildService(main: string | undefined): Promise<BuiltService> {
  if (main === undefined) {
    const build = spawn('turbo', ['run', 'build', '--filter=@profile-service/api', '--output-logs=errors-only'], {
      cwd: root,
      env: { ...process.env, DO_NOT_TRACK: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(build, 'close')) as [number | null];
    if (code !== 0) throw new Error('The service could not be built');
  }
  const file = resolve(main ?? join(root, 'apps/api/dist/main.js'));
  return { main: file, migrate: join(file, '../migrate.js'), geography: join(file, '../geography.js') };
}
