import { expect, test } from 'vitest';
import { figuresPage, readFigures } from '../../../../test/figures/figures.ts';
import { fillTemplate } from '../../../../test/figures/markdown.ts';
import { read } from '../support/project-files.ts';

test('docs/run/figures.md is generated from test/figures', async () => {
  expect(read('docs/run/figures.md')).toBe(await figuresPage(readFigures()));
});

test('a template has a text for each of its names, and a name for each text', () => {
  expect(() => fillTemplate('{{a}}', {})).toThrow('unknown name a');
  expect(() => fillTemplate('', { b: '2' })).toThrow('lacks b');
});
