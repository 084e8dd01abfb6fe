import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverEnvironment, type Account } from './account.ts';

const stopLimit = 20_000;
// Appending, since a start that is refused shares the file with the server that runs.
const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants;

/** One running PostgreSQL; its log file is begun anew. */
export class ServerProcess {
  readonly #cluster: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #running = true;

  constructor(account: Account, cluster: string, logFile: string, settings: Record<string, string>) {
    this.#cluster = cluster;
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [launcher, ...launching] = account.command;
    const args = [...launching, join(account.binaries, 'bin', 'postgres'), '-D', cluster, ...options];
    const log = openSync(logFile, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
    // A session of its own: Ctrl-C is for the parent, which still needs the database while it drains.
    this.#child = spawn(launcher, args, { cwd: '/', env: serverEnvironment, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#running = false;
        resolve();
      };
      this.#child.once('exit', end).once('error', end);
    });
  }

  /** Whether the server accepts connections before `deadline` (milliseconds since 1970); false as soon as it has ended. */
  async ready(deadline: number): Promise<boolean> {
    while (this.#running && Date.now() < deadline) {
      if (await this.#saysReady()) return true;
      await Promise.race([sleep(20), this.#ended]);
    }
    return false;
  }

  /** Fast shutdown; the immediate one when that takes longer than 20 s. Resolves when the process has ended. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#child.kill('SIGINT');
    const impatience = setTimeout(() => this.#child.kill('SIGQUIT'), stopLimit);
    await this.#ended;
    clearTimeout(impatience);
  }

  /** As pg_ctl asks: the pid file names this process and says so. A server of someone else on the port cannot be mistaken for it. */
  async #saysReady(): Promise<boolean> {
    const { pid, status } = await postmaster(this.#cluster);
    return pid === this.#child.pid && status === 'ready';
  }
}

/** What the cluster's pid file says: the server's pid, 0 without the file, and its status (`starting`, `ready`, `stopping`). */
export async function postmaster(cluster: string): Promise<{ pid: number; status: string | undefined }> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]), status: lines[7]?.trim() };
}
