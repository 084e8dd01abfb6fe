import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { BackupError } from '../backup/backup-error.ts';
import { SettingsError } from '../settings.ts';

interface Command<Options extends string> {
  /** What the command line looks like, with the meaning of its options. */
  usage: string;
  /** Names of the options, which have no values. */
  options: readonly Options[];
  run(call: { folder: string | undefined; given: ReadonlySet<Options>; signal: AbortSignal }): Promise<void>;
}

/**
 * Runs a command with at most one folder as argument. Errors go to standard error, and the exit code is then 1. SIGINT and SIGTERM abort it.
 * @param environment `INIT_CWD` is the folder in which npm was called
 */
export async function runCommand<Options extends string>(
  { usage, options, run }: Command<Options>,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const abortion = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abortion.abort(new BackupError(`Aborted by ${signal}`)));
  try {
    const { values, positionals } = parseCommandLine([...options, 'help']);
    const [folder, ...others] = positionals;
    if (values['help']) return void process.stdout.write(`${usage}\n`);
    if (others.length > 0) throw new UsageError('More than one FOLDER is named\n');
    const given = new Set(options.filter((name) => values[name]));
    await run({ folder: folder && resolve(environment['INIT_CWD'] ?? '', folder), given, signal: abortion.signal });
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof UsageError) process.stderr.write(`${error.message}${usage}\n`);
    else process.stderr.write(`${describe(abortion.signal.aborted ? abortion.signal.reason : error)}\n`);
  }
}

/** The command line is wrong. The message ends with a line break; the usage follows it. */
export class UsageError extends Error {}

function parseCommandLine(names: readonly string[]) {
  const options: ParseArgsOptionsConfig = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n`, { cause: error });
  }
}

function describe(error: unknown): string {
  if (error instanceof SettingsError || error instanceof BackupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
