import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onServerProcessor } from './processors.ts';

/** A running server under test: the service or the floor. */
export interface Server {
  pid: number;
  port: number;
  /** From the start of the process until it accepted a connection, in milliseconds. */
  startMs: number;
  stop(): Promise<void>;
}

const startTimeoutMs = 30_000;

/** Starts a Node program that listens on PORT. Its log goes to /dev/null. Resolves when it accepts connections. */
export async function startServer(program: string, settings: Record<string, string>, nodeOptions: string[] = []): Promise<Server> {
  const port = await freePort();
  const [command = '', ...args] = onServerProcessor([process.execPath, ...nodeOptions, program]);
  // Only these variables: the environment of the benchmark must not change the server.
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...settings };
  const startedAt = performance.now();
  const child = spawn(command, args, { env, stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'] });
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} did not start`);
    if (performance.now() - startedAt > startTimeoutMs) throw new Error(`${program} does not listen after ${startTimeoutMs} ms`);
    await pause(2);
  }
  return { pid: child.pid ?? 0, port, startMs: performance.now() - startedAt, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
