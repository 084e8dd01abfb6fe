import { median } from '../load/statistics.ts';
import type { Options } from '../options.ts';
import type { Environment } from '../servers/environment.ts';

/** From the start of the service's process until it accepts connections, in milliseconds: the median of several starts on a migrated database. */
export async function measureStartTime(environment: Environment, options: Options): Promise<number> {
  const times: number[] = [];
  // The first start reads the files from disk.
  for (let n = 0; n <= options.rounds; n += 1) {
    const { startMs, stop } = await environment.startAnother('service', 'small');
    await stop();
    if (n > 0) times.push(startMs);
  }
  return median(times);
}
