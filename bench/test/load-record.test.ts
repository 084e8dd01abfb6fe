import { expect, test } from 'vitest';
import { atLeast, atMost, check } from '../load-test/check.ts';
import { resultsOf } from '../load-test/record.ts';

test('the results of a load test are tables of requirements, with the figures below', () => {
  const checks = [atMost('latency', 12.34, 10, 'ms', 1), atLeast('throughput', 61, 60, '%'), check('errors', '0', '0 of 7', true)];
  const results = resultsOf({ capacity: 1234.5, suites: new Map([['soak', { checks, figures: ['a figure'] }]]) });
  expect(results.split('\n')).toEqual(
    expect.arrayContaining([
      'Capacity: 1235 requests per second.',
      '### Soak',
      '| latency | at most 10 ms | 12.3 ms | **no** |',
      '| throughput | at least 60 % | 61 % | yes |',
      '| errors | 0 | 0 of 7 | yes |',
      '- a figure',
    ]),
  );
});
