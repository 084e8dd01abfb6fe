import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { endpointRow, findProblems } from '../../rules/check.ts';
import { citationsIn } from '../../rules/citations.ts';
import { parsePage } from '../../rules/specification.ts';

const page = (...lines: string[]) => parsePage('apps', ['# Apps', ...lines].join('\n'));
const endpoint = (wanted: string) => endpoints.find(({ name }) => name === wanted)!;
const app = endpoint('apps.get');
const user = endpoint('users.get');
const missingRow = (row: typeof app) => `The specification does not list this endpoint of the contract:\n  ${endpointRow(row)}`;
const unknownRow = (row: typeof app) => `The contract does not have this row of the specification:\n  ${endpointRow(row)}`;
const citation = (rule: string) => ({ rule, file: 'apps.test.ts', test: null });

test.each([
  ['a test', "test('creates it', () => {});", 'creates it'],
  ['a test with parameters', "test.each([f('a'), 'b'])(\n  'takes %s',\n  () => {});", 'takes %s'],
  ['a test in a group', "describe('an app', () => {\n  // Rules: OTHER-1\n  test('is there', () => {});\n});", 'an app > is there'],
  ['anything else', "import { test } from 'vitest';\ntest('creates it', () => {});", null],
])('citationsIn finds the comment above %s', (_case, source, title) => {
  const [last] = citationsIn('a.test.ts', source.includes('OTHER') ? source : `// Rules: OTHER-1\n${source}`);
  expect(last).toEqual({ rule: 'OTHER-1', file: 'a.test.ts', test: title });
});

test.each([
  // The page pads the columns of its table.
  ['no problem', [page('- **APPS-1**: One.', endpointRow(app).replaceAll(' | ', '   | '))], [app], [citation('APPS-1')], []],
  ['a rule without a test', [page('- **APPS-1**: One.')], [], [], ['APPS-1 has no test']],
  [
    'two rules with one id',
    [page('- **APPS-1**: One.', '- **APPS-1**: Two.')],
    [],
    [citation('APPS-1')],
    ['APPS-1 is the id of two rules'],
  ],
  ['a citation of an unknown rule', [page()], [], [citation('APPS-2')], ['apps.test.ts cites the unknown rule APPS-2']],
  ['an endpoint that the specification does not list', [page(endpointRow(app))], [app, user], [], [missingRow(user)]],
  ['an endpoint that the contract does not have', [page(endpointRow(app))], [], [], [unknownRow(app)]],
])('findProblems returns %s', (_case, pages, declared, citations, problems) => {
  expect(findProblems(pages, declared, citations)).toEqual(problems);
});
