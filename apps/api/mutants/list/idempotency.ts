import { remove, removeCall, removeThrow, replace, replaceSql } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const test = (name: string): string => `apps/api/test/idempotency/${name}.test.ts`;

/** Requests with an idempotency key. Each of these mutants does a change twice, or shows a response to a caller who may not see it. */
export const idempotency: readonly Mutant[] = [
  mutant(
    'A user reads a stored response after losing access to its organization',
    replace('withIdempotencyKey', "claim.outcome === 'IN_PROGRESS'", "claim.outcome !== 'CLAIMED'"),
    test('claims'),
  ),
  mutant(
    'A user reads the stored response of an upload after losing access to its organization',
    removeCall('withIdempotencyClaim', 'check'),
    test('claims'),
  ),
  mutant(
    'A request that is repeated after a crash creates the record again',
    removeCall('withIdempotencyKey', 'storeResponse'),
    test('replay'),
  ),
  mutant(
    'A request whose claim was taken by another one makes the change a second time',
    removeThrow('request/storeResponse', 'IDEMPOTENCY_KEY_IN_PROGRESS'),
    test('claims'),
  ),
  mutant('A user gets the stored response of another tenant', remove('keyedRequestOf', 'activeTenantId(_)'), test('claims')),
  mutant('A key of an upload stores another file', remove('keyedRequestOf', 'sha256: _'), test('claims')),
  mutant(
    'A user gets the stored response of another user',
    replaceSql('claim_idempotency_key', 'actor_kind = kind and actor_id = id and', ''),
    test('replay'),
  ),
  mutant(
    'Two requests with one key at the same time both make the change',
    replaceSql('claim_idempotency_key', 'when pg_try_advisory_xact_lock(lock_of_key)', ''),
    test('claims'),
  ),
];
