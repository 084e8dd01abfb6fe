import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { command, temporaryFolder } from './commands.ts';

const world = useWorld();

test.each([
  ['backup', [], 'FOLDER is missing\nusage: npm run backup -- FOLDER'],
  ['backup', ['one', 'two'], 'More than one FOLDER is named\nusage: npm run backup -- FOLDER'],
  ['backup', ['--fast', 'one'], "Unknown option '--fast'"],
  ['restore', [], 'Name either FOLDER or --database-restored\nusage: npm run restore -- FOLDER'],
  ['restore', ['one', '--database-restored'], 'Name either FOLDER or --database-restored'],
  ['backup', ['folder'], 'DATABASE_URL is not set'],
  ['restore', ['folder'], 'DATABASE_URL is not set'],
] as const)('%s %j says what is wrong and exits with 1', async (name, args, message) => {
  expect(await command(name, {}, ...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
});

test.each(['backup', 'restore'] as const)('%s --help prints the usage and exits with 0', async (name) => {
  const stdout = expect.stringContaining(`usage: npm run ${name} -- FOLDER`);
  expect(await command(name, {}, '--help')).toEqual({ code: 0, stdout, stderr: '' });
});

test.each([
  ['is missing', undefined, /^pg_dump is not installed, or not on the PATH\. /],
  [
    'is older than the server',
    'echo "pg_dump (PostgreSQL) 14.9 (Debian)"',
    /^pg_dump is of version 14, and the server is of version \d+\. /,
  ],
])('a backup says that pg_dump %s', async (_fault, script, message) => {
  const programs = await temporaryFolder();
  if (script !== undefined) await writeFile(join(programs, 'pg_dump'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const { code, stderr } = await command('backup', { ...world.environment, PATH: programs }, join(await temporaryFolder(), 'backup'));
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  expect(stderr).toMatch(/Install the client programs of PostgreSQL \d+ or later/);
});

test('the end of a restore refuses a database that the service is connected to', async () => {
  const { code, stderr } = await command('restore', world.environment, '--database-restored');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^The service is connected to the database \(\d+ sessions\)/),
  });
});
