import { rows } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { drivenRows } from '../../isolation/rows/index.ts';

test('the isolation test knows how to drive every row of the contract', () => {
  expect(drivenRows().map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
});
