import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { applyMutant } from '../../mutants/apply.ts';
import { mutants } from '../../mutants/list/index.ts';
import { readSources } from '../../mutants/source/sources.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const sources = readSources(root);

describe('a mutant', () => {
  test.each(mutants)('fits exactly one place per change, and has an effect: $why', (mutant) => {
    expect(applyMutant(sources, mutant).size).toBeGreaterThan(0);
  });

  test('names a test file that contains tests', () => {
    for (const { test: file } of mutants) expect(file === undefined || /^ *test[.(]/m.test(read(file))).toBe(true);
  });
});

test('no two mutants make the same change', () => {
  expect(new Set(mutants.map(({ changes }) => JSON.stringify(changes))).size).toBe(mutants.length);
});
