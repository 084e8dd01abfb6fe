import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const watcher = fileURLToPath(new URL('parent-watcher.ts', import.meta.url));

/**
 * Runs a command when this process dies, for whatever reason. Linux does the same for PostgreSQL with setpriv; other systems have no equivalent.
 * @returns a function that ends the watch
 */
export function runAfterDeath(command: readonly string[]): () => void {
  // The watcher reads from a pipe that closes with this process. Its own session keeps Ctrl-C from it.
  const child = spawn(process.execPath, [watcher, ...command], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true });
  child.on('error', () => undefined);
  child.unref();
  return () => void child.kill('SIGKILL');
}
