import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const usage = `usage: npm run bench -- [option…]
  --quick             less than 10 minutes: shorter measurements, and fewer organizations in the large database
  --only TEXT         only the measurements whose name starts with the text; may be repeated
  --rounds N          how often each measurement alternates between service and floor
  --seconds N         length of each measurement of one server
  --events N          number of events of others in the journal for the measurement of a page of events
  --service FILE      the service's dist/main.js of another checkout, which is not built
  --baseline FILE     compare the service with this other build of it instead of the floor; both use the database of the first
  --cpu-prof FOLDER   write CPU profiles of the service and the floor into the folder
  --record            write the figures to docs/run/figures.md`;

export interface Options {
  quick: boolean;
  only: string[];
  rounds: number;
  seconds: number;
  /** Number of events of others in the journal; undefined for the default. */
  events: number | undefined;
  /** The built service; undefined for this checkout, which is built first. */
  service: string | undefined;
  /** Another built service to compare with; undefined for the floor. */
  baseline: string | undefined;
  cpuProfiles: string | undefined;
  record: boolean;
  /** The command as a user types it. */
  command: string;
}

/** Reads the command line. Prints the usage and exits if it is wrong. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args: args.filter((arg) => arg !== '--'),
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        events: { type: 'string' },
        service: { type: 'string' },
        baseline: { type: 'string' },
        'cpu-prof': { type: 'string' },
        record: { type: 'boolean', default: false },
      },
    });
    const number = (text: string | undefined, otherwise: number) => {
      const value = Number(text ?? otherwise);
      if (!(value > 0)) throw new Error(`Not a positive number: ${text}`);
      return value;
    };
    if (values.record && values.only.length > 0) throw new Error('--record needs all measurements, so it excludes --only');
    const shown = args.filter((arg) => !['--', '--record'].includes(arg));
    return {
      quick: values.quick,
      only: values.only,
      // Many short rounds: the speed of a virtual machine changes within seconds, and adjacent rounds meet the same speed.
      rounds: number(values.rounds, values.quick ? 14 : 20),
      seconds: number(values.seconds, values.quick ? 0.4 : 1),
      events: values.events === undefined ? undefined : number(values.events, 0),
      service: values.service,
      baseline: values.baseline,
      cpuProfiles: values['cpu-prof'],
      record: values.record,
      command: ['npm run bench', ...(shown.length > 0 ? ['--', ...shown] : [])].join(' '),
    };
  } catch (error) {
    console.error(`${String(error)}\n${usage}`);
    return process.exit(2);
  }
}

/** The folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));
