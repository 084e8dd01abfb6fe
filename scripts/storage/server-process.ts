import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithParent } from '../../test/end-with-parent.ts';

const startMs = 20_000;

/** A program that listens on a port of this machine. */
export interface ServerProcess {
  /** Ends it with SIGTERM. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts the program. Resolves when it accepts connections on the port. Throws if it ends before, or after 20 s. */
export async function startServerProcess(
  program: string,
  args: string[],
  port: number,
  env: Record<string, string> = {},
  errors: 'inherit' | 'ignore' = 'inherit',
): Promise<ServerProcess> {
  const [command = program, ...rest] = [...endWithParent, program, ...args];
  const child = spawn(command, rest, { env, stdio: ['ignore', 'ignore', errors] });
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  try {
    await accepting(child, program, port);
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

async function accepting(child: ChildProcess, program: string, port: number): Promise<void> {
  const until = Date.now() + startMs;
  while (child.exitCode === null && Date.now() < until) {
    if (await accepts(port)) return;
    await pause(50);
  }
  throw new Error(`${program} ${child.exitCode === null ? `did not listen within ${startMs} ms` : `ended with ${child.exitCode}`}`);
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
