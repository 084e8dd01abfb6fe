import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { read, root } from '../support/project-files.ts';

const steps = globSync('apps/api/src/request/steps/*.ts', { cwd: root })
  .map((file) => ({ file, names: [...read(file).matchAll(/\bdefineStep\(\s*([^,]+)/g)].map(([, name]) => name) }))
  .filter(({ names }) => names.length > 0);

test('the name of each step, and so of its span, is the name of the file', () => {
  expect(steps.length).toBeGreaterThan(15);
  for (const { file, names } of steps) expect(names).toEqual([`'${basename(file, '.ts')}'`]);
});
