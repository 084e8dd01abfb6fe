import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Debian installs servers in /usr/sbin, which is not on the PATH of ordinary users. */
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** Returns the path of an installed program, or null. */
export async function findProgram(name: string): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return null;
}
