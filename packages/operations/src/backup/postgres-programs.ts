import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import type { DataSettings } from '../settings.ts';
import { BackupError } from './backup-error.ts';

export type PostgresProgram = 'pg_dump' | 'pg_restore' | 'psql';

/** How much of the error messages of a program an error contains, in characters. */
const maxErrorText = 4_000;

export interface RunningProgram {
  stdin: Writable;
  stdout: Readable;
  /** Rejects with a BackupError unless the program exits with 0. */
  ended: Promise<void>;
  kill(): void;
}

/** Runs the client programs of PostgreSQL on the database of a connection. */
export class PostgresPrograms {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;

  /**
   * @param client gives the address, the user and the password. The password is passed in the environment, because other users can read command lines.
   * @param environment of this process: gives PATH, and the settings of libpq that the connection does not decide
   */
  constructor(client: pg.Client, settings: DataSettings, environment: NodeJS.ProcessEnv, signal: AbortSignal) {
    const { host, port, user, password, database } = client;
    this.#environment = {
      ...environment,
      LC_ALL: 'C',
      PGHOST: host,
      PGPORT: String(port),
      ...(user !== undefined && { PGUSER: user }),
      ...(typeof password === 'string' && { PGPASSWORD: password }),
      ...(database !== undefined && { PGDATABASE: database }),
      ...encryption(settings, environment),
    };
    this.#signal = signal;
  }

  /** Checks that the programs are installed, and not older than `major`. @throws BackupError */
  async check(programs: readonly PostgresProgram[], major: number): Promise<void> {
    for (const program of programs) {
      const remedy = `Install the client programs of PostgreSQL ${major} or later, and put them on the PATH (Debian: postgresql-client-${major}).`;
      const found = await this.#versionOf(program);
      if (found === undefined) throw new BackupError(`${program} is not installed, or not on the PATH. ${remedy}`);
      if (found < major) throw new BackupError(`${program} is of version ${found}, and the server is of version ${major}. ${remedy}`);
    }
  }

  /** Starts a program, whose standard input and output are pipes. */
  start(program: PostgresProgram, args: readonly string[]): RunningProgram {
    const child = spawn(program, args, { env: this.#environment, stdio: ['pipe', 'pipe', 'pipe'], signal: this.#signal });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-maxErrorText)));
    // The exit code tells whether the program has read its input.
    child.stdin.on('error', () => undefined);
    const ended = (async () => {
      const [code, signal] = (await once(child, 'close')) as unknown[];
      if (code !== 0) throw new BackupError(`${program} failed (${String(code ?? signal)}):\n${errors.trim()}`);
    })();
    ended.catch(() => undefined);
    return { stdin: child.stdin, stdout: child.stdout, ended, kill: () => void child.kill() };
  }

  /** Runs a program without input. @throws BackupError with its error messages */
  async run(program: PostgresProgram, args: readonly string[]): Promise<void> {
    const { stdin, stdout, ended } = this.start(program, args);
    stdin.end();
    stdout.resume();
    await ended;
  }

  /** undefined if the program does not exist. */
  async #versionOf(program: PostgresProgram): Promise<number | undefined> {
    const child = spawn(program, ['--version'], { env: this.#environment, stdio: ['ignore', 'pipe', 'ignore'] });
    const output = child.stdout.setEncoding('utf8').toArray();
    const started = await once(child, 'close').catch(() => undefined);
    if (!started) return undefined;
    const [, major] = /\(PostgreSQL\) (\d+)/.exec((await output).join('')) ?? [];
    return Number(major ?? 0);
  }
}

/**
 * Returns the settings of libpq that encrypt the connection as `pg` does: with DATABASE_CA_FILE, or with `sslmode` in the connection string. libpq does not know
 * the authorities of Node, so it takes those of the system, unless PGSSLROOTCERT names others.
 */
function encryption(settings: DataSettings, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { DATABASE_CA_FILE: caFile, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl = url } = settings;
  if (caFile !== undefined) return { PGSSLMODE: 'verify-full', PGSSLROOTCERT: caFile };
  const parameters = new URL(directUrl).searchParams;
  const mode = parameters.get('sslmode') ?? (parameters.get('ssl') === 'true' ? 'verify-full' : undefined);
  if (mode === undefined) return {};
  if (mode === 'no-verify') return { PGSSLMODE: 'require' };
  if (!['require', 'verify-ca', 'verify-full'].includes(mode)) return { PGSSLMODE: mode };
  const file = parameters.get('sslrootcert') ?? environment['PGSSLROOTCERT'] ?? environment['NODE_EXTRA_CA_CERTS'] ?? 'system';
  return { PGSSLMODE: 'verify-full', PGSSLROOTCERT: file };
}
