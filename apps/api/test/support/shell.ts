import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs commands of a documentation page in bash, with the addresses of an `npm start` on this port. Fails if a command fails.
 * `--norc`: with a socket as standard input and without a parent shell, bash reads its start-up files.
 */
export function runCommands(commands: string, port: number): Promise<{ stdout: string; stderr: string }> {
  const script = commands.replaceAll('localhost:3000', `localhost:${port}`).replaceAll('localhost:3001', `localhost:${port + 1}`);
  return run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script]);
}
