import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../src/request/steps/', import.meta.url));

/** The first argument of each `defineStep` in the file, as source text. */
const stepNamesIn = (file: string) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/\bdefineStep\(\s*([^,]+)/g)].map(([, name = '']) => name);

const files = globSync('*.ts', { cwd: folder }).filter((file) => stepNamesIn(file).length > 0);

test('there are steps', () => {
  expect(files.length).toBeGreaterThan(15);
});

test.each(files)('the name of the step in %s, and so of its span, is the name of the file', (file) => {
  expect(stepNamesIn(file)).toEqual([`'${basename(file, '.ts')}'`]);
});
