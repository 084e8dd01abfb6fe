import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { drivenEndpoints } from '../../isolation/endpoints/index.ts';

test('the isolation test has a driver for every endpoint', () => {
  expect(drivenEndpoints().map(({ name }) => name)).toEqual(endpoints.map(({ name }) => name));
});
