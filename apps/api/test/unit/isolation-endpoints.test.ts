import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { drivenEndpoints } from '../../isolation/endpoints/index.ts';

test('the isolation test knows how to drive every row of the contract', () => {
  expect(drivenEndpoints().map(({ name }) => name)).toEqual(endpoints.map(({ name }) => name));
});
