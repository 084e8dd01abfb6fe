import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** Room that a run may take: a database of some 10 MB per test file, and the write-ahead log. */
const bytesNeeded = 2 ** 31;

/** Where tests keep their data: memory where there is enough of it, containers often have 64 MB. */
export async function fastFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  return memory && memory.bavail * memory.bsize > bytesNeeded ? '/dev/shm' : tmpdir();
}
