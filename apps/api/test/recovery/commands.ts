import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { inherited } from '../../../../test/inherited.ts';

export interface Ended {
  /** null if a signal has ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
export interface Running {
  ended: Promise<Ended>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** Starts `backup` or `restore` as an operator does. @param settings those of the service */
export function startCommand(name: 'backup' | 'restore', settings: Record<string, string>, ...args: string[]): Running {
  const entry = fileURLToPath(new URL(`../../../../packages/operations/src/commands/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [entry, ...args], { env: { ...inherited, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(([[code], stdout, stderr]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return { ended, kill: (signal) => void child.kill(signal) };
}

/** Runs `backup` or `restore` to its end. */
export const command = (name: 'backup' | 'restore', settings: Record<string, string>, ...args: string[]): Promise<Ended> =>
  startCommand(name, settings, ...args).ended;

/** Creates a folder for the duration of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-recovery-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Opens a session for the duration of the test, and runs SQL in it. */
export async function openSession(connectionString: string, statement: string, values: unknown[] = []): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(statement, values);
  return client;
}

/** Locks a table that pg_dump waits for: after the snapshot was taken and before files are copied. */
export const holdBackup = (connectionString: string): Promise<pg.Client> =>
  openSession(connectionString, 'begin; lock table kysely_migration_lock in access exclusive mode');
