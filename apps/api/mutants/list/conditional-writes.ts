import { removeCall, removeThrow, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const test = (name: string): string => `apps/api/test/conditions/${name}.test.ts`;

/** Writes with If-Match. Each of these mutants loses an update, or reveals a record to a caller who may not see it. */
export const conditionalWrites: readonly Mutant[] = [
  mutant(
    'A write with a stale version overwrites the change of another user',
    removeThrow('matchVersion', 'PRECONDITION_FAILED'),
    test('if-match'),
  ),
  mutant(
    'A 412 tells a user the version of a Global user, whom the user may not change',
    replace(
      'runWrite',
      'await check(..._args)',
      '(ifMatch && (await matchVersion(context, transaction.scoped, input, ifMatch)), await check(..._args))',
    ),
    test('if-match'),
  ),
  mutant(
    'A conditional request for another operation is executed without its condition',
    replace('readIfMatch', 'if (!acceptsIfMatch(_endpoint)) _', 'if (!acceptsIfMatch(_endpoint)) return undefined;'),
    test('if-match'),
  ),
  mutant('Two writers with the same version both succeed', removeCall('lockVersionStatement', 'forNoKeyUpdate'), test('concurrency')),
  mutant('A 412 reveals that a record outside the scope exists', removeCall('lockVersionStatement', 'inScope'), test('if-match')),
  mutant(
    "A change of a tenant's allowed scopes keeps its version, so that a stale write overwrites it",
    replace('captureTable', "[_columns, 'updated_at']", "[_columns, 'updated_at', 'allowed_scopes']"),
    test('versions'),
  ),
  mutant(
    'Setting a scope waits for a change of the user that waits for it, until one of them fails',
    removeCall('organization-scopes/lockUser', 'forNoKeyUpdate'),
    test('concurrency'),
  ),
];
