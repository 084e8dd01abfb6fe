import { replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

/** What an export contains. */
export const exportMutants: readonly Mutant[] = [
  mutant(
    'A user exports the records of every tenant',
    replace('sendExport', 'statement.bind(values, caller.organizationScope)', "statement.bind(values, { kind: 'all' })"),
  ),
  mutant(
    'An export has records that the filters exclude',
    replace('listSource', 'snapshot(list.statement(_filters), _values)', 'snapshot(list.statement(_filters), {})'),
  ),
  mutant(
    'An export of the audit log has the values that its list hides',
    replace('listSource', 'list.show?.(caller) ?? _show', '_show'),
    'apps/api/test/resources/exports.test.ts',
  ),
  mutant('An export has fields that the contract does not declare', replace('listSource', 'project(show(row))', 'show(row)')),
  mutant(
    'A user exports the addresses of an organization outside the scope',
    replace('resources/organizationAddresses.export', 'assertInScope(..._)', 'undefined'),
  ),
  mutant(
    'A user exports the entries of an actor whom they may not see',
    replace('resources/auditEntries.export', 'assertMayFilter(..._)', 'undefined'),
  ),
];
