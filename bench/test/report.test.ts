import { describe, expect, test } from 'vitest';
import { chart } from '../report/chart.ts';
import { fillTemplate, markdownTable } from '../report/markdown.ts';
import { significant, textTable } from '../report/table.ts';

test('significant formats three digits', () => {
  expect([1234.5, 99.94, 1.3449, 0.01234, undefined].map(significant)).toEqual(['1235', '99.9', '1.34', '0.0123', '–']);
});

test('textTable aligns the first column left and the others right', () => {
  expect(textTable(['a', 'value'], [['long', '1']])).toBe('a     value\n----  -----\nlong      1');
});

test('markdownTable aligns the named columns right', () => {
  expect(markdownTable(['Name', 'Value'], [['a', '1']], ['Value'])).toBe('| Name | Value |\n| --- | --: |\n| a | 1 |');
});

describe('fillTemplate', () => {
  test('replaces names by their texts', () => {
    expect(fillTemplate('{{a}} and {{b}}', { a: '1', b: '2' })).toBe('1 and 2');
  });

  test('rejects a name without a text, and a text without a name', () => {
    expect(() => fillTemplate('{{a}}', {})).toThrow('unknown name a');
    expect(() => fillTemplate('', { b: '2' })).toThrow('lacks b');
  });
});

describe('chart', () => {
  const svg = chart([
    { label: 'get & list', service: 200, reference: 100, ratio: 2 },
    { label: 'other', service: 50, reference: 50, ratio: 1 },
  ]);

  test('draws bars whose widths are in the ratio of the figures', () => {
    const widths = [...svg.matchAll(/class="(?:service|floor)" x="250" y="(?!8")\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
    expect(widths).toEqual([420, 210, 105, 105]);
  });

  test('escapes labels', () => {
    expect(svg).toContain('get &amp; list');
  });
});
