import { describe, expect, test } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };

interface Text {
  place: string;
  description?: string | undefined;
}

const verbs = ['Assign', 'Create', 'Delete', 'Download', 'Find', 'Get', 'Link', 'List', 'Provision'];
const moreVerbs = ['Remove', 'Replace', 'Unlink', 'Update', 'Upload'];
/** A verb and up to five words in lower case, without punctuation. */
const shortVerbPhrase = new RegExp(`^(${[...verbs, ...moreVerbs].join('|')})( [a-z-]+){1,5}$`);

/** A capital letter or code first, a full stop last. */
const sentence = /^[A-Z`][^]*\.$/;

/** Finds the properties of all schemas in a part of the document, nested ones included. */
function propertiesIn(part: unknown, place: string): Text[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === 'properties' ? textsOf(value as Record<string, object>, place) : []),
    ...(key === 'examples' || key === 'example' ? [] : propertiesIn(value, key === 'properties' ? place : `${place}.${key}`)),
  ]);
}

const textsOf = (parts: Record<string, { description?: string }>, place: string): Text[] =>
  Object.entries(parts).map(([name, { description }]) => ({ place: `${place}.${name}`, description }));

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries<{ summary: string; description?: string; parameters?: object[] }>(item).map(([method, operation]) => ({
    place: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);
const parametersOf = ({ place, parameters = [] }: (typeof operations)[number]): Text[] =>
  (parameters as ({ $ref: string } | { name: string; description?: string })[]).flatMap((parameter) =>
    '$ref' in parameter ? [] : { place: `${place}.${parameter.name}`, description: parameter.description },
  );

/** Words that say nothing about a field. */
const fillers = new Set('a an the of in on at is are it this that to for or and with which whether time when by'.split(' '));

/** The words of a text or of a name in camelCase, in lower case and without a plural `s`. */
const wordsOf = (text: string): string[] =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).map((word) => word.toLowerCase().replace(/s$/, '')).filter((word) => !fillers.has(word));

/** Whether the description has a word that is not in the name of the field or of its schema. */
function saysMoreThanItsName({ place, description = '' }: Text): boolean {
  const names = new Set(wordsOf(place));
  return wordsOf(description).some((word) => !names.has(word));
}

describe('descriptions', () => {
  const { schemas, parameters, headers, securitySchemes } = document.components;

  test.each([
    ['operation', operations],
    ['parameter', [...operations.flatMap(parametersOf), ...textsOf(parameters, 'parameters')]],
    ['schema', textsOf(schemas, 'schemas')],
    ['property', propertiesIn(schemas, 'schemas')],
    ['header', textsOf(headers, 'headers')],
    ['security scheme', textsOf(securitySchemes, 'securitySchemes')],
    ['tag', document.tags.map(({ name, description }) => ({ place: name, description }))],
  ] satisfies [string, Text[]][])('exist for every %s, as sentences that say more than its name', (_kind, texts) => {
    expect(texts).not.toHaveLength(0);
    expect(texts.filter((text) => !sentence.test(text.description ?? '') || !saysMoreThanItsName(text))).toEqual([]);
  });

  test('of operations say more than who has access', () => {
    const ownTextOf = ({ description = '' }: Text) => description.split('\n\n').filter((paragraph) => !paragraph.startsWith('Access: '));
    expect(operations.filter((operation) => ownTextOf(operation).length === 0).map(({ place }) => place)).toEqual([]);
  });

  test('are checked for properties of nested schemas too', () => {
    const nested = { Place: { properties: { inner: { properties: { name: {} }, description: 'The inner one.' } } } };
    expect(propertiesIn(nested, '')).toEqual([
      { place: '.Place.inner', description: 'The inner one.' },
      { place: '.Place.inner.name', description: undefined },
    ]);
  });

  test.each([
    ['schemas.User.jobTitle', 'Job title.', false],
    ['schemas.User.id', 'Id of the user.', false],
    ['schemas.City.name', 'Name of the city.', false],
    ['schemas.User.jobTitle', 'Job title. Null if unknown.', true],
  ])('of %s: whether %j says more than the name is %s', (place, description, expected) => {
    expect(saysMoreThanItsName({ place, description })).toBe(expected);
  });
});

describe('summaries', () => {
  const summaries = operations.map(({ summary }) => summary);

  test('are short verb phrases', () => {
    expect(summaries.filter((summary) => !shortVerbPhrase.test(summary))).toEqual([]);
  });

  test('are unique', () => {
    expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([]);
  });
});

test('every tag of an operation is described', () => {
  const described = document.tags.map(({ name }) => name);
  const used = Object.values(document.paths).flatMap((item) => Object.values<{ tags: string[] }>(item).flatMap(({ tags }) => tags));
  expect(described.toSorted()).toEqual([...new Set(used)].toSorted());
});
