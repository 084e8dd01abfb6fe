import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithParent } from '../../test/end-with-parent.ts';
import { freePort } from '../../test/free-port.ts';
import { onServerProcessor } from './processors.ts';

/** A running server under test: the service or the floor. */
export interface Server {
  pid: number;
  port: number;
  /** From the start of the process until it accepted a connection, in milliseconds. */
  startMs: number;
  stop(): Promise<void>;
}

const startTimeoutMs = 120_000;

export interface ServerOptions {
  program: string;
  settings: Record<string, string>;
  nodeOptions: string[];
  /** Whether it may use all processors instead of the one for the measured server. */
  onAllProcessors?: boolean;
}

/** Starts a Node program that listens on PORT. Its log goes to /dev/null. Resolves when it accepts connections. On Linux it ends with this process. */
export async function startServer({ program, settings, nodeOptions, onAllProcessors = false }: ServerOptions): Promise<Server> {
  const port = await freePort();
  const commandLine = [process.execPath, ...nodeOptions, program];
  const [command = '', ...args] = [...endWithParent, ...(onAllProcessors ? commandLine : onServerProcessor(commandLine))];
  // Only these variables: the environment of the benchmark must not change the server.
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...settings };
  const startedAt = performance.now();
  const child = spawn(command, args, { env, stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'] });
  const server = { pid: child.pid ?? 0, port, startMs: 0, stop: () => stop(child) };
  try {
    await listening(child, port);
  } catch (error) {
    await server.stop();
    throw new Error(`${program} did not start`, { cause: error });
  }
  return { ...server, startMs: performance.now() - startedAt };
}

/** Resolves when the port accepts connections. Throws if the process has ended, or after a time limit. */
async function listening(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (hasEnded(child)) throw new Error(`It ended with code ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`It does not listen after ${startTimeoutMs} ms`);
    await pause(2);
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
