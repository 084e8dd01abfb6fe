import { globSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { type CodeBlock, codeBlocksOf } from '../../../../test/markdown.ts';
import { readmeBlocks, runCommands } from '../../../../test/readme-commands.ts';
import { read, root } from '../support/project-files.ts';
import { useLocalStart } from '../support/local-start.ts';

const guides = globSync('docs/**/*.md', { cwd: root })
  .toSorted()
  .map((file) => ({ name: file, blocks: codeBlocksOf(read(file)) }))
  .filter(({ blocks }) => blocks.some(({ language }) => language === 'bash'));

const started = useLocalStart();

/** Answers 204 to webhooks. The proof receivers runs the receivers of the guide. */
const receiver = createServer((request, response) => void request.resume().on('end', () => response.writeHead(204).end()));
let receiverUrl = '';
beforeAll(async () => void (receiverUrl = `http://localhost:${await listen(receiver)}`));
afterAll(() => void receiver.close());

// The second run shows that a reader can paste the commands of a guide twice.
describe.each(guides)('$name', ({ blocks }) => {
  test.each(['once', 'twice'])('its commands run %s and print the responses that it shows', async () => {
    const outputs = await outputsOf(blocks.filter(({ language }) => language === 'bash'));
    let shown = 0;
    for (const [index, { language, text }] of blocks.entries()) {
      if (language !== 'json') continue;
      const command = blocks.slice(0, index).filter((block) => block.language === 'bash').length - 1;
      expect(JSON.parse(outputs[command] ?? ''), blocks[index - 1]?.text ?? '').toMatchObject(JSON.parse(text) as object);
      shown += 1;
    }
    expect(shown).toBeGreaterThan(0);
  });
});

test('the commands of README.md work when they are pasted, and work in the same way when they are pasted again', async () => {
  const blocks = await readmeBlocks('First requests');
  expect(blocks).toHaveLength(4);
  const paste = async () => {
    const { stdout, stderr } = await runCommands(blocks.join('echo\n'), started.port, started.folder);
    // Standard error has the responses of which the commands keep the id.
    const lines = [...stderr.split('\n'), ...stdout.split(/\n|(?<=\})(?=\{)/)].filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const first = await paste();
  expect(first).toHaveLength(9);
  expect(first.filter(({ code }) => code !== undefined)).toEqual([]);
  expect(first.slice(0, 4).map(({ name }) => name)).toEqual(['Cooperativa Nova', 'Silo', 'Silo for Nova', 'Nina Reis']);
  const second = await paste();
  expect(second.filter(({ code }) => code !== undefined)).toEqual([]);
  expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
});

test.each([
  ['rest-clients.md', 'python', 3, 'examples/python/backend.py'],
  ['events.md', 'python', 1, 'examples/python/events.py'],
  ['events.md', 'go', 1, 'examples/go/events.go'],
  ['events.md', 'java', 1, 'examples/java/src/main/java/example/Events.java'],
])('the code of docs/use/%s in %s is that of the example, which the proof clients runs', (page, language, count, example) => {
  const blocks = codeBlocksOf(read(`docs/use/${page}`)).filter((block) => block.language === language);
  expect(blocks).toHaveLength(count);
  for (const { text } of blocks) expect(read(example)).toContain(text);
});

/** Runs the commands of a page in one shell. Returns what each block prints. */
async function outputsOf(blocks: CodeBlock[]): Promise<string[]> {
  const separator = '--- end of block ---';
  const script = blocks.map(({ text }) => `${text}\necho; echo '${separator}'`).join('\n');
  const { stdout } = await runCommands(script, started.port, started.folder, receiverUrl);
  return stdout.split(separator);
}
