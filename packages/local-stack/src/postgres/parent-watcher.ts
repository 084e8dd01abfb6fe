import { spawn } from 'node:child_process';

/** The program of `runAfterDeath`: runs its arguments as a command when its standard input closes. */
const [command = '', ...args] = process.argv.slice(2);
process.stdin.resume().once('end', () => {
  spawn(command, args, { cwd: '/', stdio: 'ignore', windowsHide: true });
});
