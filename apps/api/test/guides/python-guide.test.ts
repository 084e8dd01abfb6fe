import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocksOf } from '../../../../test/markdown.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

test('the Python code of the guide is that of the example, which the proof clients runs', () => {
  const blocks = codeBlocksOf(read('docs/use/rest-clients.md')).filter(({ language }) => language === 'python');
  expect(blocks).toHaveLength(3);
  for (const { text } of blocks) expect(read('examples/python/backend.py')).toContain(text);
});
