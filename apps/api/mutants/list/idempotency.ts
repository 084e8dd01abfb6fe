import { inFile, type Mutant } from '../mutant.ts';

const withKey = inFile('apps/api/src/request/steps/with-idempotency-key.ts');
const keyedRequest = inFile('apps/api/src/request/keyed-request.ts');
const migration = inFile('packages/db/src/migrations/0018-idempotency-keys.ts');

const test = (name: string): string => `apps/api/test/idempotency/${name}.test.ts`;

/** Requests with an idempotency key. Each of these mutants does a change twice, or shows a response to a caller who may not see it. */
export const idempotency: readonly Mutant[] = [
  withKey('A user reads a stored response after losing access to its organization', '  await check(context);\n', '', test('claims')),
  withKey(
    'A request that is repeated after a crash creates the record again',
    '    await storeResponse(context, openTransaction, request);\n',
    '',
    test('replay'),
  ),
  withKey(
    'A request whose claim was taken by another one makes the change a second time',
    "  if (!isStored) throw new ProblemError('IDEMPOTENCY_KEY_IN_PROGRESS');\n",
    '  if (isStored === undefined) return;\n',
    test('claims'),
  ),
  keyedRequest(
    'A user gets the stored response of another tenant',
    'stringify([operation, activeTenantId(caller), {',
    'stringify([operation, activeTenantId(caller) === undefined, {',
    test('claims'),
  ),
  keyedRequest('A key of an upload stores another file', 'sha256: fileHash', 'sha256: undefined && fileHash', test('claims')),
  migration(
    'A user gets the stored response of another user',
    'where actor_kind = kind and actor_id = id and key = claimed_key and expires_at > clock_timestamp();',
    'where key = claimed_key and expires_at > clock_timestamp();',
    test('replay'),
  ),
  migration(
    'Two requests with one key at the same time both make the change',
    'exit when pg_try_advisory_xact_lock(lock_of_key);',
    'exit;',
    test('claims'),
  ),
];
