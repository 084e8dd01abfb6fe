import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { freePortPair } from '../../../../test/free-port.ts';
import { readmeBlocks, runCommands } from '../../../../test/readme-commands.ts';
import { localStart, type LocalStart } from '../support/local-start.ts';

describe('the commands of README.md', { timeout: 120_000 }, () => {
  let dataDir: string;
  let port: number;
  let started: LocalStart;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(await fastFolder(), 'profile-readme-'));
    port = await freePortPair();
    started = await localStart({ DATA_DIR: dataDir, PORT: String(port) });
  }, 120_000);
  afterAll(async () => {
    started.child.kill('SIGINT');
    await started.ended;
    await rm(dataDir, { recursive: true });
  });

  test('work when they are pasted, and work in the same way when they are pasted again', async () => {
    const blocks = await readmeBlocks('First requests');
    expect(blocks).toHaveLength(4);
    const paste = async () => {
      const { stdout, stderr } = await runCommands(blocks.join('echo\n'), port, dataDir);
      // Standard error has the responses of which the commands keep the id.
      return [...stderr.split('\n'), ...stdout.split(/\n|(?<=\})(?=\{)/)]
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const first = await paste();
    expect(first).toHaveLength(9);
    expect(first.filter(({ code }) => code !== undefined)).toEqual([]);
    expect(first.slice(0, 4).map(({ name }) => name)).toEqual(['Cooperativa Nova', 'Silo', 'Silo for Nova', 'Nina Reis']);
    const second = await paste();
    expect(second.filter(({ code }) => code !== undefined)).toEqual([]);
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });
});
