import { endpoints } from '@profile-service/contracts';
import { exampleOf } from '@profile-service/contracts/examples';
import { expect, test } from 'vitest';

test.each(endpoints)('$name has an example with its own errors', ({ name, endpoint }) => {
  const { errors = {} } = exampleOf(name);
  expect(endpoint.errors).toEqual(expect.arrayContaining(Object.keys(errors)));
});
