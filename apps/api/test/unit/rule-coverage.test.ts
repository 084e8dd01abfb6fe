import { endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { endpointRow, findProblems } from '../../rules/check.ts';
import { citationsIn } from '../../rules/citations.ts';
import { parsePage } from '../../rules/specification.ts';

const page = (...lines: string[]) => parsePage('apps', ['# Apps', ...lines].join('\n'));
const endpoint = (wanted: string) => endpoints.find(({ name }) => name === wanted)!;
const app = endpoint('apps.get');
const user = endpoint('users.get');
const citation = (rule: string) => ({ rule, file: 'apps.test.ts', test: null });

describe('parsePage', () => {
  test('reads rule ids and rows of endpoints, with any padding of the table', () => {
    const row = endpointRow(app);
    expect(page('- **APPS-1**: One.', 'See **APPS-9**.', row.replaceAll(' | ', '   | '))).toEqual({
      name: 'apps',
      title: 'Apps',
      rules: [{ id: 'APPS-1', page: 'apps' }],
      endpointRows: [row],
    });
  });
});

describe('citationsIn', () => {
  const marker = '// Rules: ';

  test.each([
    ['a test', "test('creates it', () => {});", 'creates it'],
    ['a title with an escaped quote', "test('it\\'s there', () => {});", "it's there"],
    ['a test with parameters', "test.each([f('a'), 'b'])(\n  'takes %s',\n  () => {});", 'takes %s'],
    ['a group', 'describe(`of ${name}`, () => {});', 'of ${name}'],
    ['another comment before the test', "// Why.\ntest('creates it', () => {});", 'creates it'],
    ['anything else', "import { test } from 'vitest';\ntest('creates it', () => {});", null],
  ])('returns the title below the comment: %s', (_case, source, title) => {
    expect(citationsIn('a.test.ts', `${marker}APPS-1, APPS-2\n${source}`)).toEqual([
      { rule: 'APPS-1', file: 'a.test.ts', test: title },
      { rule: 'APPS-2', file: 'a.test.ts', test: title },
    ]);
  });
});

test('citationsIn returns the titles of the groups before the title of the test', () => {
  const source = [
    "describe('an app', () => {",
    "  describe('without name', () => {});",
    "  describe.each([1])('of %i', () => {",
    '    // Rules: APPS-1',
    "    test('is rejected', () => {});",
    '  });',
    '});',
  ];
  expect(citationsIn('a.test.ts', source.join('\n'))).toEqual([
    { rule: 'APPS-1', file: 'a.test.ts', test: 'an app > of %i > is rejected' },
  ]);
});

describe('findProblems', () => {
  test('returns nothing if every rule is cited and every endpoint is listed', () => {
    expect(findProblems([page('- **APPS-1**: One.', endpointRow(app))], [app], [citation('APPS-1')])).toEqual([]);
  });

  test.each([
    ['a rule without a test', [page('- **APPS-1**: One.')], [], [], 'APPS-1 has no test'],
    [
      'two rules with one id',
      [page('- **APPS-1**: One.', '- **APPS-1**: Two.')],
      [],
      [citation('APPS-1')],
      'APPS-1 is the id of two rules',
    ],
    ['a citation of an unknown rule', [page()], [], [citation('APPS-2')], 'apps.test.ts cites the unknown rule APPS-2'],
    ['an endpoint that the specification does not list', [page(endpointRow(app))], [app, user], [], endpointRow(user)],
    ['an endpoint that the contract does not have', [page(endpointRow(app))], [], [], endpointRow(app)],
  ])('returns %s', (_case, pages, declared, citations, problem) => {
    const problems = findProblems(pages, declared, citations);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});
