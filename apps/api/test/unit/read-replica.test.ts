import { ProblemError } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { isRepeatable } from '../../src/request/read-replica.ts';

test.each([
  ['the handler has rejected the request', new ProblemError('CUSTOMER_NOT_FOUND')],
  ['the statement has reached its time limit', Object.assign(new Error('a message'), { code: '57014' })],
])('a read on the replica is not repeated on the primary if %s', (_what, error) => {
  expect(isRepeatable(error)).toBe(false);
});
