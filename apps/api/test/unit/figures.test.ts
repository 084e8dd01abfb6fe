import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { figuresPage, readFigures } from '../../../../test/figures/figures.ts';
import { fillTemplate, markdownTable } from '../../../../test/figures/markdown.ts';

test('docs/run/figures.md is generated from test/figures', async () => {
  expect(readFileSync(new URL('../../../../docs/run/figures.md', import.meta.url), 'utf8')).toBe(await figuresPage(readFigures()));
});

test('markdownTable aligns the named columns right', () => {
  expect(markdownTable({ head: ['Name', 'Value'], rows: [['a', '1']], right: ['Value'] })).toBe(
    '| Name | Value |\n| --- | --: |\n| a | 1 |',
  );
});

describe('fillTemplate', () => {
  test('replaces names by their texts', () => {
    expect(fillTemplate('{{a.x}} and {{b}}', { 'a.x': '1', b: '2' })).toBe('1 and 2');
  });

  test('rejects a name without a text, and a text without a name', () => {
    expect(() => fillTemplate('{{a}}', {})).toThrow('unknown name a');
    expect(() => fillTemplate('', { b: '2' })).toThrow('lacks b');
  });
});
