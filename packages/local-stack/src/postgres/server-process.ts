import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, commandLine, runAs, serverEnvironment } from './account.ts';
import { runAfterDeath } from './parent-watch.ts';

const stopTimeoutMs = 20_000;
// Appends, because a refused start shares the log file with the running server.
const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants;

/** A PostgreSQL process. Each start truncates its log file. */
export class ServerProcess {
  readonly #account: Account;
  readonly #cluster: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #running = true;

  constructor(account: Account, cluster: string, logFile: string, settings: Record<string, string>) {
    this.#account = account;
    this.#cluster = cluster;
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [launcher = '', ...args] = commandLine(account, 'postgres', ['-D', cluster, ...options]);
    const log = openSync(logFile, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
    // The server gets its own session, so that Ctrl-C reaches only the parent, which still needs the database while it drains.
    this.#child = spawn(launcher, args, {
      cwd: '/',
      env: serverEnvironment,
      stdio: ['ignore', log, log],
      detached: true,
      windowsHide: true,
    });
    closeSync(log);
    const endWatch = process.platform === 'linux' ? undefined : runAfterDeath(commandLine(account, 'pg_ctl', this.#stopArguments('fast')));
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#running = false;
        endWatch?.();
        resolve();
      };
      this.#child.once('exit', end).once('error', end);
    });
  }

  /** Resolves to true when the server accepts connections, and to false when it exits or at `deadline` (milliseconds since 1970). */
  async ready(deadline: number): Promise<boolean> {
    while (this.#running && Date.now() < deadline) {
      if (await this.#isReady()) return true;
      await Promise.race([sleep(20), this.#ended]);
    }
    return false;
  }

  /** Requests a fast shutdown, and an immediate one after 20 s. Resolves when the process has exited. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#signal('fast');
    const timeout = setTimeout(() => this.#signal('immediate'), stopTimeoutMs);
    await this.#ended;
    clearTimeout(timeout);
  }

  /** Requests a shutdown. Windows has no signals between processes, so pg_ctl requests it there. */
  #signal(mode: 'fast' | 'immediate'): void {
    if (process.platform === 'win32') void runAs(this.#account, 'pg_ctl', this.#stopArguments(mode)).catch(() => this.#child.kill());
    else this.#child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  }

  #stopArguments(mode: 'fast' | 'immediate'): string[] {
    return ['stop', '--no-wait', `--mode=${mode}`, '-D', this.#cluster];
  }

  /** Reads the pid file, as pg_ctl does. A connection attempt could reach another server on the same port. */
  async #isReady(): Promise<boolean> {
    const { pid, status } = await postmaster(this.#cluster);
    return pid === this.#child.pid && status === 'ready';
  }
}

/** Reads the cluster's pid file: the server's pid (0 if there is no file) and its status (`starting`, `ready`, `stopping`). */
export async function postmaster(cluster: string): Promise<{ pid: number; status: string | undefined }> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]), status: lines[7]?.trim() };
}
