import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedBinaries, readableBinaries } from './binaries.ts';

const run = promisify(execFile);
const nobody = '65534';
// When this process dies, even by SIGKILL, Linux sends SIGINT, which is PostgreSQL's fast shutdown. For other systems see parent-watch.ts.
const endWithParent = process.platform === 'linux' ? ['--pdeathsig', 'INT'] : [];

/** The account that runs PostgreSQL, which refuses to run as root. */
export interface Account {
  /** The command line before the program; empty if there is none. It executes the program in its own process. */
  command: string[];
  /** Folder that contains PostgreSQL's `bin` and that the account can read. */
  binaries: string;
  /** Major version of PostgreSQL. */
  version: number;
  /** The uid that must own the cluster, as this process sees it. Defaults to the user of this process. */
  owner?: number;
}

/** An account before the first attempt to run PostgreSQL. */
type UnprobedAccount = Omit<Account, 'version'>;

/** Returns the first account with which PostgreSQL runs on this machine. Throws the reasons of all attempts if none works. */
export async function chooseAccount(): Promise<Account> {
  const installed = await installedBinaries();
  const choices = process.getuid?.() === 0 ? [() => namespaced(installed), () => unprivileged(installed)] : [() => ordinary(installed)];
  const failures: unknown[] = [];
  for (const choice of choices) {
    try {
      const account = await choice();
      const [, major] = /\) (\d+)/.exec(await runAs(account, 'postgres', ['--version'])) ?? [];
      return { ...account, version: Number(major) };
    } catch (error) {
      failures.push(error);
    }
  }
  const remedy = process.getuid?.() === 0 ? ' Start it as another user than root, or set DATABASE_URL to use your own server.' : '';
  throw new AggregateError(failures, `PostgreSQL does not run on this machine: ${failures.map(String).join('; ')}.${remedy}`);
}

/** Runs one of PostgreSQL's programs. Returns its output. Throws with its output if it fails. */
export async function runAs(account: UnprobedAccount, program: string, args: string[]): Promise<string> {
  const [first = '', ...rest] = commandLine(account, program, args);
  const { stdout } = await run(first, rest, { cwd: '/', env: serverEnvironment });
  return stdout;
}

/** Returns the command line that runs one of PostgreSQL's programs as the account. */
export const commandLine = ({ command, binaries }: UnprobedAccount, program: string, args: string[]): string[] => [
  ...command,
  join(binaries, 'bin', program),
  ...args,
];

/** The environment of PostgreSQL's programs: without the caller's PG… variables, with messages in English. */
export const serverEnvironment = {
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  // Windows programs do not start without them.
  ...(process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'], TEMP: process.env['TEMP'] } : {}),
};

const ordinary = (installed: string): UnprobedAccount => ({ command: withSetpriv(endWithParent), binaries: installed });

/** setpriv with options, as the beginning of a command line. Without options, and so on systems that do not have it, the command line needs no setpriv. */
const withSetpriv = (options: string[]): string[] => (options.length > 0 ? ['setpriv', ...options] : []);

/** A user namespace that maps root to another uid. All files still belong to root, so any folder of root works. */
const namespaced = (installed: string): UnprobedAccount => ({
  command: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, ...withSetpriv(endWithParent)],
  binaries: installed,
  owner: 0,
});

/** Another uid, for machines without user namespaces (chroot, many containers). dac_override gives it access to data below folders such as /root. */
const unprivileged = async (installed: string): Promise<UnprobedAccount> => ({
  command: withSetpriv([
    ...endWithParent,
    '--reuid',
    nobody,
    '--regid',
    nobody,
    '--clear-groups',
    '--inh-caps',
    '+dac_override',
    '--ambient-caps',
    '+dac_override',
  ]),
  // PostgreSQL finds its programs with access(2), which ignores that capability.
  binaries: await readableBinaries(installed),
  owner: Number(nobody),
});
