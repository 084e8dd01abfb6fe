import { inFile, type Mutant } from '../mutant.ts';

const matchVersion = inFile('apps/api/src/request/steps/match-version.ts');
const readIfMatch = inFile('apps/api/src/request/steps/read-if-match.ts');
const versions = inFile('packages/db/src/queries/versions.ts');
const scopes = inFile('apps/api/src/resources/organization-scopes.ts');
const migration = inFile('packages/db/src/migrations/0014-versions.ts');

const test = (name: string): string => `apps/api/test/conditions/${name}.test.ts`;

/** Writes with If-Match. Each of these mutants loses an update, or reveals a record to a caller who may not see it. */
export const conditionalWrites: readonly Mutant[] = [
  matchVersion(
    'A write with a stale version overwrites the change of another user',
    "    if (!includesTag(ifMatch, entityTagOf(version))) throw new ProblemError('PRECONDITION_FAILED');\n",
    '',
    test('if-match'),
  ),
  matchVersion(
    'A 412 tells a user the version of a Global user, whom the user may not change',
    '    await check(context);\n',
    '',
    test('order'),
  ),
  readIfMatch(
    'A conditional request for another operation is executed without its condition',
    "    if (!accepts) throw validationFailed('If-Match', 'This operation is never conditional. Send the request without it');\n",
    '    if (!accepts) return;\n',
    test('if-match'),
  ),
  versions('Two writers with the same version both succeed', '      .forNoKeyUpdate(),', '      ,', test('concurrency')),
  versions(
    'A 412 reveals that a record outside the scope exists',
    '    ...(isScoped ? [inScope(table as ScopedTable, scope)] : []),\n',
    '    ...(isScoped && !scope ? [inScope(table as ScopedTable, scope)] : []),\n',
    test('order'),
  ),
  migration(
    "A change of a tenant's allowed scopes keeps its version, so that a stale write overwrites it",
    '(new.customer_id, new.app_id, new.name, new.active, new.metadata, new.identity_client_id, new.allowed_scopes)',
    '(new.customer_id, new.app_id, new.name, new.active, new.metadata, new.identity_client_id, old.allowed_scopes)',
    test('versions'),
  ),
  scopes(
    'Setting a scope waits for a change of the user that waits for it, until one of them fails',
    '.forKeyShare(),\n);\nconst lockTenant',
    ',\n);\nconst lockTenant',
    test('concurrency'),
  ),
];
