import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { findProblems, print, rowOf } from '../../rules/check.ts';
import { citationsIn } from '../../rules/citations.ts';
import { parsePage } from '../../rules/specification.ts';

const head = '| Endpoint | Procedure | Action | Resource | Success |\n| - | - | - | - | - |';
const page = (...lines: string[]) => parsePage('apps', ['# Apps', '', head, ...lines].join('\n'));
const endpointRow = (named: Endpoint) => print(rowOf(named));
const [app, user] = ['apps.get', 'users.get'].map((wanted) => endpoints.find(({ name }) => name === wanted)!) as [Endpoint, Endpoint];
type Endpoint = (typeof endpoints)[number];
const missingRow = `The specification does not list this endpoint of the contract:\n  ${endpointRow(user)}`;
const unknownRow = `The contract does not have this row of the specification:\n  ${endpointRow(app)}`;
const citation = (rule: string) => ({ rule, file: 'apps.test.ts', test: null });

test.each([
  ['a test', "// Rules: OTHER-1\ntest('creates it', () => {});", 'creates it'],
  ['a test with parameters', "// Rules: OTHER-1\ntest.each([f('a'), 'b'])(\n  'takes %s',\n  () => {});", 'takes %s'],
  ['a test in a group', "describe('an app', () => {\n  // Rules: OTHER-1\n  test('is there', () => {});\n});", 'an app > is there'],
  ['anything else', "// Rules: OTHER-1\nimport { test } from 'vitest';\ntest('creates it', () => {});", null],
])('citationsIn finds the comment above %s', (_case, source, title) => {
  expect(citationsIn('a.test.ts', source)).toEqual([{ rule: 'OTHER-1', file: 'a.test.ts', test: title }]);
});

test.each([
  // The page pads the columns of its table.
  ['no problem', [page(endpointRow(app).replaceAll(' | ', '   | '), '- **APPS-1**: One.')], [app], ['APPS-1'], []],
  ['a rule without a test', [page('- **APPS-1**: One.')], [], [], ['APPS-1 has no test']],
  ['two rules with one id', [page('- **APPS-1**: One.', '- **APPS-1**: Two.')], [], ['APPS-1'], ['APPS-1 is the id of two rules']],
  ['a citation of an unknown rule', [page()], [], ['APPS-2'], ['apps.test.ts cites the unknown rule APPS-2']],
  ['an endpoint that the specification does not list', [page(endpointRow(app))], [app, user], [], [missingRow]],
  ['an endpoint that the contract does not have', [page(endpointRow(app))], [], [], [unknownRow]],
])('findProblems returns %s', (_case, pages, declared, cited, problems) => {
  expect(findProblems(pages, declared, cited.map(citation))).toEqual(problems);
});
