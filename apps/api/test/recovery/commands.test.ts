import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { command, temporaryFolder } from './commands.ts';

const world = useWorld();

describe('the command line', () => {
  test.each([
    ['backup', [], 'FOLDER is missing\nusage: npm run backup -- FOLDER'],
    ['backup', ['one', 'two'], 'More than one FOLDER is named\nusage: npm run backup -- FOLDER'],
    ['backup', ['--fast', 'one'], "Unknown option '--fast'"],
    ['restore', [], 'Name either FOLDER or --database-restored\nusage: npm run restore -- FOLDER'],
    ['restore', ['one', '--database-restored'], 'Name either FOLDER or --database-restored'],
  ] as const)('%s %j prints the usage and exits with 1', async (name, args, message) => {
    const { code, stdout, stderr } = await command(name, {}, ...args);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
  });

  test.each(['backup', 'restore'] as const)('%s --help prints the usage and exits with 0', async (name) => {
    const { code, stdout, stderr } = await command(name, {}, '--help');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining(`usage: npm run ${name} -- FOLDER`), stderr: '' });
  });

  test.each([
    ['backup', 'folder'],
    ['restore', 'folder'],
  ] as const)('%s names missing settings', async (name, folder) => {
    const { code, stderr } = await command(name, {}, folder);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('DATABASE_URL is not set') });
  });
});

describe('a backup without suitable client programs of PostgreSQL', () => {
  /** Runs a backup with a PATH that has only this pg_dump. */
  async function errorWith(script: string | undefined): Promise<string> {
    const programs = await temporaryFolder();
    if (script !== undefined) {
      await writeFile(join(programs, 'pg_dump'), `#!/bin/sh\n${script}\n`);
      await chmod(join(programs, 'pg_dump'), 0o755);
    }
    const folder = join(await temporaryFolder(), 'backup');
    const { code, stderr } = await command('backup', { ...world.environment, PATH: programs }, folder);
    expect(code).toBe(1);
    return stderr;
  }

  test('says that pg_dump is missing', async () => {
    expect(await errorWith(undefined)).toMatch(
      /^pg_dump is not installed, or not on the PATH\. Install the client programs of PostgreSQL \d+ or later/,
    );
  });

  test('says that pg_dump is older than the server', async () => {
    expect(await errorWith('echo "pg_dump (PostgreSQL) 14.9 (Debian)"')).toMatch(
      /^pg_dump is of version 14, and the server is of version \d+\. Install the client programs of PostgreSQL \d+ or later/,
    );
  });
});

test('the end of a restore refuses a database that the service is connected to', async () => {
  const { code, stderr } = await command('restore', world.environment, '--database-restored');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^The service is connected to the database \(\d+ sessions\)/),
  });
});
