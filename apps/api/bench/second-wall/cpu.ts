import { readdir, readFile } from 'node:fs/promises';

/** Nanoseconds for which these processes, with all their threads, have had a processor, in the kernel's own account. Linux alone has it. */
export async function cpuOf(pids: readonly number[]): Promise<number> {
  let total = 0;
  for (const pid of pids) {
    for (const thread of await readdir(`/proc/${pid}/task`)) {
      const account = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
      total += Number(account.split(' ')[0]);
    }
  }
  return total;
}
