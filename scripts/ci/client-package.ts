import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packClient } from '../../test/client-package.ts';
import { run } from './command.ts';

/** Packs the client, checks the package as bundlers and compilers resolve it, and rehearses its publication without sending it. */
export async function checkClientPackage(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-client-'));
  try {
    const { tarball } = await packClient(folder);
    await run('publint', ['run', tarball, '--strict']);
    await run('attw', [tarball, '--profile', 'esm-only']);
    await run('npm', ['publish', '--dry-run', tarball]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
