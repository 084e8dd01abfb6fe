import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { inherited } from '../../../../test/inherited.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Starts `backup` or `restore` as an operator does. Resolves when it exits. @param settings those of the service */
export async function command(name: 'backup' | 'restore', settings: Record<string, string>, ...args: string[]): Promise<Ended> {
  const entry = fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [entry, ...args], { env: { ...inherited, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code: code as number, stdout, stderr };
}

/** Creates a folder for the duration of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-recovery-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
