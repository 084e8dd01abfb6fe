import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** Space for one run of the tests: a database of about 10 MB per test file, and the write-ahead log. */
const bytesOfTests = 2 ** 31;

/** Returns the folder for test data: in memory if it has enough space (containers often have only 64 MB) and the machine enough memory, else on disk. */
export async function fastFolder(bytesNeeded = bytesOfTests): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  return memory && Math.min(memory.bavail * memory.bsize, process.availableMemory()) > bytesNeeded ? '/dev/shm' : tmpdir();
}
