import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../isolation/random.ts';
import type { Environment } from './environment.ts';

/** The longest time without a database, in milliseconds. */
const longestCutMs = 2_000;

type Parts = Pick<Environment, 'instances' | 'proxy'>;

const faults: Record<string, (parts: Parts, random: Random, problems: string[]) => Promise<void>> = {
  async 'kill of an instance'({ instances }, random) {
    const index = random.index(instances.urls.length);
    await instances.end(index, 'SIGKILL');
    await pause(random.below(1_000));
    await instances.start(index);
  },
  async 'restart of every instance'({ instances }, _random, problems) {
    for (const index of instances.urls.keys()) {
      const code = await instances.end(index, 'SIGTERM');
      if (code !== 0) problems.push(`instance ${index + 1} stopped with ${code}`);
      await instances.start(index);
    }
  },
  async 'cut of all connections to the database'({ proxy }, random) {
    proxy.cut();
    await pause(random.below(longestCutMs));
    proxy.forward();
  },
};

/** Causes each fault at least once, in random order, and goes on until the check is true. @returns how often each happened, and what went wrong */
export async function causeFaults(parts: Parts, random: Random, longestPauseMs: number, isOver: () => boolean) {
  const problems: string[] = [];
  const counts = Object.fromEntries(Object.keys(faults).map((name) => [name, 0]));
  do {
    const shuffled = Object.keys(faults)
      .map((name) => ({ name, place: random.below(1) }))
      .toSorted((one, other) => one.place - other.place);
    for (const { name } of shuffled) {
      if (isOver() && !Object.values(counts).includes(0)) break;
      await pause(random.below(longestPauseMs));
      await faults[name]?.(parts, random, problems);
      counts[name] = (counts[name] ?? 0) + 1;
    }
  } while (!isOver());
  return { counts, problems };
}
