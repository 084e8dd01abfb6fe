import { describe, expect, test } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };

interface Text {
  place: string;
  description?: string | undefined;
}

const verbs = ['Assign', 'Create', 'Delete', 'Download', 'Find', 'Get', 'Link', 'List', 'Provision'];
const moreVerbs = ['Remove', 'Replace', 'Unlink', 'Update', 'Upload'];
/** A verb and up to seven words, without punctuation. */
const shortVerbPhrase = new RegExp(`^(${[...verbs, ...moreVerbs].join('|')})( [\\w'-]+){1,7}$`);

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
    '$ref' in parameter ? [] : { place: `${place} ${parameter.name}`, description: parameter.description },
  );

describe('descriptions', () => {
  const { schemas, parameters, headers, securitySchemes } = document.components;

  test.each([
    ['operation', operations],
    ['parameter', [...operations.flatMap(parametersOf), ...textsOf(parameters, 'parameters')]],
    ['property', propertiesIn(schemas, 'schemas')],
    ['header', textsOf(headers, 'headers')],
    ['security scheme', textsOf(securitySchemes, 'securitySchemes')],
    ['tag', document.tags.map(({ name, description }) => ({ place: name, description }))],
  ] satisfies [string, Text[]][])('exist for every %s, as sentences', (_kind, texts) => {
    expect(texts).not.toHaveLength(0);
    expect(texts.filter(({ description = '' }) => !sentence.test(description))).toEqual([]);
  });

  test('are checked for properties of nested schemas too', () => {
    const nested = { Place: { properties: { inner: { properties: { name: {} }, description: 'The inner one.' } } } };
    expect(propertiesIn(nested, '')).toEqual([
      { place: '.Place.inner', description: 'The inner one.' },
      { place: '.Place.inner.name', description: undefined },
    ]);
  });
});

test('summaries are short verb phrases', () => {
  expect(operations.map(({ summary }) => summary).filter((summary) => !shortVerbPhrase.test(summary))).toEqual([]);
});
