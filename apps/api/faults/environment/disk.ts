import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const mebibyte = 1024 ** 2;

/** Mounts a small file system in memory, which a fault can fill. Only root may do this. @param mebibytes its size */
export async function mountDisk(name: string, mebibytes: number) {
  const folder = await mkdtemp(join(tmpdir(), `profile-service-${name}-`));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw new Error('The faults of full disks mount file systems: run this as root', { cause: error });
  });
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  // A run that is interrupted must not leave it mounted.
  const unmount = () => spawnSync('umount', ['--lazy', folder]);
  process.once('exit', unmount);
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Uses all free space. Repeat it while programs free space. */
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      const file = await open(filler, 'a');
      const block = Buffer.alloc(mebibyte);
      try {
        for (let rest = bavail * bsize; rest > 0; rest -= block.length) await file.write(block.subarray(0, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    /** Frees the space again. */
    free: () => rm(filler, { force: true }),
    async remove() {
      process.off('exit', unmount);
      unmount();
      await rm(folder, { recursive: true });
    },
  };
}
