import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedBinaries, readableBinaries } from './binaries.ts';

const run = promisify(execFile);
const nobody = '65534';
// SIGINT is PostgreSQL's fast shutdown: the server follows its parent even when that is killed with -9.
const endWithParent: Command = ['setpriv', '--pdeathsig', 'INT'];

type Command = [program: string, ...args: string[]];

/** Under whose name PostgreSQL runs: it refuses to run as root. */
export interface Account {
  /** The command line up to the program's name; its process becomes the program. */
  command: Command;
  /** Folder with PostgreSQL's `bin`, readable to the account. */
  binaries: string;
  /** The uid that has to own the cluster, seen from here; absent: whoever runs this process. */
  owner?: number;
}

/** Finds a way to run PostgreSQL that works on this machine. Throws with the reason of each that does not. */
export async function chooseAccount(): Promise<Account> {
  const installed = await installedBinaries();
  const choices = process.getuid?.() === 0 ? [() => namespaced(installed), () => unprivileged(installed)] : [() => ordinary(installed)];
  const failures: unknown[] = [];
  for (const choice of choices) {
    try {
      const account = await choice();
      await runAs(account, 'postgres', ['--version']);
      return account;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, `PostgreSQL cannot be run here: ${failures.map(String).join('; ')}`);
}

/** Runs one of PostgreSQL's programs to its end. Throws with what it wrote when it fails. */
export async function runAs({ command, binaries }: Account, program: string, args: string[]): Promise<void> {
  const [first, ...rest]: Command = [...command, join(binaries, 'bin', program), ...args];
  await run(first, rest, { cwd: '/', env: serverEnvironment });
}

/** What PostgreSQL's programs see of the environment: none of the caller's PG… variables, messages in English. */
export const serverEnvironment = { PATH: process.env['PATH'], LC_ALL: 'C' };

const ordinary = (installed: string): Account => ({ command: endWithParent, binaries: installed });

/** A user namespace in which root goes by another uid: everything stays root's own, so that any folder of root's will do. */
const namespaced = (installed: string): Account => ({
  command: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, ...endWithParent],
  binaries: installed,
  owner: 0,
});

/** Where namespaces are refused (chroot, many containers): really another uid, which dac_override lets reach data below a closed folder such as /root. */
const unprivileged = async (installed: string): Promise<Account> => ({
  command: [
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
  ],
  // PostgreSQL looks its programs up with access(2), which that capability does not reach.
  binaries: await readableBinaries(installed),
  owner: Number(nobody),
});
