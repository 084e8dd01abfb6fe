import { ProblemError } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { isRepeatable } from '../../src/request/read-replica.ts';

const databaseError = (code: string) => Object.assign(new Error('a message'), { code });

test.each([
  ['a conflict with recovery', databaseError('40001')],
  ['a server that stops', databaseError('57P01')],
  ['a statement that a standby does not run', databaseError('25006')],
  ['a broken connection', new Error('Connection terminated unexpectedly')],
  ['a pool that was closed', new Error('Cannot use a pool after calling end on the pool')],
])('a read on the replica is repeated on the primary after %s', (_what, error) => {
  expect(isRepeatable(error)).toBe(true);
});

test.each([
  ['the handler has rejected the request', new ProblemError('CUSTOMER_NOT_FOUND')],
  ['the statement has reached its time limit', databaseError('57014')],
])('a read on the replica is not repeated if %s', (_what, error) => {
  expect(isRepeatable(error)).toBe(false);
});
