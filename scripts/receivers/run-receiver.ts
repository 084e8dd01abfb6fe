import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSecret } from '@profile-service/webhooks';
import { eventually } from '../../test/eventually.ts';
import { freePort } from '../../test/free-port.ts';
import { machinePath, root, run } from '../ci/command.ts';
import type { Outcome } from '../ci/steps.ts';
import { checks, expectedLines } from './checks.ts';
import type { Receiver } from './receiver.ts';

/** Installs and starts a receiver in a copy of its folder, and sends it the requests of the checks. */
export async function runReceiver(receiver: Receiver): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), `profile-service-receiver-${receiver.folder}-`));
  try {
    const env = { PATH: machinePath(), ...(await receiver.prepare?.()) };
    const own = /\/(node_modules|__pycache__|\.venv)$/;
    const source = join(root, 'examples/webhook-receivers', receiver.folder);
    await cp(source, folder, { recursive: true, filter: (path) => !own.test(path) });
    for (const [program, ...args] of receiver.install) await run(program, args, { cwd: folder, env });
    return await checkReceiver(receiver, folder, env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkReceiver(receiver: Receiver, cwd: string, env: Record<string, string>): Promise<Outcome> {
  const [secret, port] = [createSecret(), await freePort()];
  const [program, ...args] = receiver.start(port);
  const settings = { PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  try {
    const url = `http://127.0.0.1:${port}/webhooks`;
    await eventually(async () => child.exitCode ?? (await fetch(url)));
    if (child.exitCode !== null) throw new Error(`It exited with ${child.exitCode}`);
    const outcome = { passed: 0, failed: 0 };
    for (const { name, status, send } of checks) {
      const actual = await send(url, secret);
      count(outcome, actual === status, `${name}: ${actual}`);
    }
    const lines = (): string[] => output.split('\n').filter((line) => line.includes(' organization.'));
    // It prints the last event when it has sent the response.
    await eventually(() =>
      lines().length < expectedLines.length ? Promise.reject(new Error(`It printed "${output}"`)) : Promise.resolve(),
    );
    count(outcome, isDeepStrictEqual(lines(), expectedLines), `it prints each event once: ${lines().join(', ')}`);
    return outcome;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function count(outcome: Outcome, isPassed: boolean, text: string): void {
  outcome[isPassed ? 'passed' : 'failed'] += 1;
  console.log(`${isPassed ? 'ok    ' : 'FAILED'} ${text}`);
}
