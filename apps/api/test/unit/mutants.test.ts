import { expect, test } from 'vitest';
import { applyMutant } from '../../mutants/apply.ts';
import { mutants } from '../../mutants/list/index.ts';
import { readSources } from '../../mutants/source/sources.ts';
import { read, root } from '../support/project-files.ts';

const sources = readSources(root);

test.each(mutants)('a mutant fits exactly one place per change, and has an effect: $why', (mutant) => {
  expect(applyMutant(sources, mutant).size).toBeGreaterThan(0);
});

test('a mutant names a test file that contains tests', () => {
  for (const { test: file } of mutants) expect(file === undefined || /^ *test[.(]/m.test(read(file))).toBe(true);
});

test('no two mutants make the same change', () => {
  expect(new Set(mutants.map(({ changes }) => JSON.stringify(changes))).size).toBe(mutants.length);
});
