import { describe, expect, test } from 'vitest';
import { readmeBlocks, runCommands } from '../../../../test/readme-commands.ts';
import { useLocalStart } from '../support/use-local-start.ts';

describe('the commands of README.md', { timeout: 120_000 }, () => {
  const started = useLocalStart();

  test('work when they are pasted, and work in the same way when they are pasted again', async () => {
    const blocks = await readmeBlocks('First requests');
    expect(blocks).toHaveLength(4);
    const paste = async () => {
      const { stdout, stderr } = await runCommands(blocks.join('echo\n'), started.port, started.folder);
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
