import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** Reads the arguments. Throws for an unknown one, and for one that is not a number. */
export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      // The writers stop when this time is over and there are so many events.
      minutes: { type: 'string', default: '1' },
      events: { type: 'string', default: '0' },
      // Of what the writers on connections, the receivers, the readers and the faults do. The order in which they run is not repeated.
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    },
  });
  const [minutes, events, seed] = [values.minutes, values.events, values.seed].map(Number) as [number, number, number];
  if (!(minutes >= 0 && events >= 0 && Number.isInteger(seed)))
    throw new Error('--minutes and --events need a number, --seed a whole number');
  return { minutes, events, seed };
}
