import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeBlocksOf } from '../../../../test/markdown.ts';
import { read, root } from '../support/project-files.ts';

const page = read('docs/use/webhooks.md');
const blocks = codeBlocksOf(page).map(({ text }) => text.trim());
const sources = globSync(join(root, '{packages/webhooks/src,apps/api/src/webhooks}/**/*.ts')).map((path) => read(path.slice(root.length)));
const messages = [...page.matchAll(/`(The [^`]+)`/g)].map(([, message = '']) => message);

test.each(['node/express.js', 'node/fastify.js', 'python/main.py', 'go/main.go'])(
  'docs/use/webhooks.md has the program examples/webhook-receivers/%s, which the proof receivers runs',
  (path) => {
    expect(blocks).toContain(read(`examples/webhook-receivers/${path}`).trim());
  },
);

test.each(messages)('the message of docs/use/webhooks.md is in the source: %s', (message) => {
  const constant = message.replace(/ (15 seconds|\(…\))$/, '');
  expect(sources.filter((source) => source.includes(constant))).not.toEqual([]);
});
