import { expect, test } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };

interface Text {
  place: string;
  description?: string | undefined;
}

/** A capital letter or code first, a full stop last. */
const sentence = /^[A-Z`][^]*\.$/;

const textsOf = (parts: Record<string, { description?: string }>, place: string): Text[] =>
  Object.entries(parts).map(([name, { description }]) => ({ place: `${place}.${name}`, description }));

/** Finds the properties of all schemas in a part of the document, nested ones included. */
function propertiesIn(part: unknown, place: string): Text[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === 'properties' ? textsOf(value as Record<string, object>, place) : []),
    ...(key === 'examples' || key === 'example' ? [] : propertiesIn(value, key === 'properties' ? place : `${place}.${key}`)),
  ]);
}

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

const { schemas, parameters, headers, securitySchemes } = document.components;

test.each([
  ['operation', operations],
  ['parameter', [...operations.flatMap(parametersOf), ...textsOf(parameters, 'parameters')]],
  ['schema', textsOf(schemas, 'schemas')],
  ['property', propertiesIn(schemas, 'schemas')],
  ['header', textsOf(headers, 'headers')],
  ['security scheme', textsOf(securitySchemes, 'securitySchemes')],
  ['tag', document.tags.map(({ name, description }) => ({ place: name, description }))],
] satisfies [string, Text[]][])('every %s has a description, in sentences that say more than its name', (_kind, texts) => {
  expect(texts).not.toHaveLength(0);
  expect(texts.filter((text) => !sentence.test(text.description ?? '') || !saysMoreThanItsName(text))).toEqual([]);
});

test('the descriptions of operations say more than who has access', () => {
  const ownTextOf = ({ description = '' }: Text) => description.split('\n\n').filter((paragraph) => !paragraph.startsWith('Access: '));
  expect(operations.filter((operation) => ownTextOf(operation).length === 0).map(({ place }) => place)).toEqual([]);
});

// `redocly lint` checks their form.
test('the summaries of operations are unique', () => {
  expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length);
});
