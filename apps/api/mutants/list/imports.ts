import { dropCondition, removeCall, removeThrow, replace, replaceSql } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const test = (name: string): string => `apps/api/test/resources/imports-${name}.test.ts`;
const results = 'packages/db/test/imports.test.ts';

/** Who sees an import, and what its rows may do. */
export const imports: readonly Mutant[] = [
  mutant(
    'A user reads the imports of every tenant',
    replace('importInScope', "eb('imports.tenantId', '=', scope.tenantId)", 'eb.lit(true)'),
  ),
  mutant(
    'A RESTRICTED member reads the imports of other members',
    replace('importInScope', "eb.and([ofTenant, eb('imports.createdBy', '=', scope.userId)])", 'ofTenant'),
  ),
  mutant('An import belongs to no tenant', replace('scopedTables.insertImport', 'tenantOf(scope)', 'null')),
  mutant('A user reads an import of another tenant by its id', replace('getImport', 'scoped.imports()', 'scoped.imports().clearWhere()')),
  mutant('The results have the rows of the imports of every user', dropCondition('listImportResults', 'imports.id')),
  mutant('A user imports records that they may not create', removeCall('resources/imports/assertMayCreate', 'authorizeCaller')),
  mutant('An import continues when its creator has lost the access', removeCall('run-import/loadCaller', 'authorizeCaller')),
  mutant(
    'An import continues when its creator may import no more',
    replace('run-import/loadCaller', '[contract.imports.create, create]', '[create]'),
    test('access'),
  ),
  mutant(
    'An import without tenant continues in the only tenant that its creator has left',
    removeThrow('run-import/loadCaller', 'TENANT_NOT_ALLOWED'),
    test('access'),
  ),
  mutant('An import runs in no tenant', replace('run-import/loadCaller', "tenantId ?? ''", "''")),
  mutant(
    'An import runs as a super_admin',
    replace('imports/claims/readClaims', '{ ...others, ..._rest }', '{ ...others, isSuperAdmin: true, ..._rest }'),
    test('upsert'),
  ),
  mutant('An import loses the roles of its token', replace('storedClaims', '[...roles]', '[]')),
  mutant(
    'A row changes a record that its creator may only create',
    replace('acceptRow', 'authorizeCaller(compiled.endpoint, caller)', '{ caller, ownTenant: null }'),
    test('upsert'),
  ),
  mutant(
    'A row changes an organization outside the scope, or tells its id',
    replace('find-existing/findOrganization', 'scoped.organizations()', 'scoped.organizations().clearWhere()'),
  ),
  mutant('A dry run creates records', replace('undoRows', 'throw new UndoneRowsError(_rows);', 'return _rows;')),
  mutant(
    'A dry run creates users at the identity provider',
    replace('dryRunDependencies', 'async () => ({ subject: _, needsPassword: false })', '(person) => identity.create(person)'),
    test('dry-run'),
  ),
  mutant(
    'The audit entries of rows belong to no tenant',
    replace('originOfRow', '{ operation, ..._rest }', '{ operation, ..._rest, tenantId: null }'),
  ),
  mutant('Two processes do the same rows', replaceSql('save_import_results', 'and processed = processed_before', ''), results),
  mutant('A cancelled import does more rows', replaceSql('save_import_results', "and status = 'RUNNING'", ''), results),
  mutant('An import that has ended runs again', dropCondition('startImport', 'finishedAt'), results),
  mutant('An import is cancelled after its end', dropCondition('db/src/imports/find-imports/cancelImport', 'imports.finishedAt')),
];
