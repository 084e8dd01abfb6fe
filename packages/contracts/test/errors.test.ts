import { describe, expect, test } from 'vitest';
import { endpoints, errorCodes, type ErrorCode, errorGroups, errors, errorsOf } from '../src/index.ts';

/** The specification of the API spells these codes so. */
const otherSpelling = ['InvalidAttachmentTypeError', 'FailedToUploadFileError', 'FailedToDownloadFileError', 'FailedToDeleteFileError'];

/** The transports send these before they know the endpoint. */
const codesOfNoEndpoint: readonly ErrorCode[] = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

const entries = Object.entries(errors) as [ErrorCode, { cause: string; action: string; when: string; reserved?: true }][];

test('each code is in one group', () => {
  expect(errorGroups.flatMap((group) => Object.keys(group.errors)).toSorted()).toEqual(errorCodes.toSorted());
});

test('codes are upper case with underscores, except those that the specification spells otherwise', () => {
  expect(errorCodes.filter((code) => !/^[A-Z]+(_[A-Z]+)*$/.test(code)).toSorted()).toEqual(otherSpelling.toSorted());
});

test('an endpoint declares each code, except those of the transports and reserved ones', () => {
  const declared = new Set<ErrorCode>([...endpoints.flatMap(({ endpoint }) => errorsOf(endpoint)), ...codesOfNoEndpoint]);
  expect(entries.filter(([code, { reserved }]) => declared.has(code) === (reserved === true))).toEqual([]);
});

describe.each(entries)('%s', (_code, { cause, action, when }) => {
  test('has a cause and an action in sentences of at most 25 words', () => {
    for (const text of [when, cause, action]) {
      expect(text).toMatch(/\.$/);
      for (const sentence of text.split(/[.:] /)) expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(25);
    }
  });

  test('names only operations that exist', () => {
    const named = [...(cause + action).matchAll(/`((?:GET|POST|PUT|DELETE) [^`?]*)/g)].map(([, operation = '']) => operation);
    const known = endpoints.map(({ endpoint: { method, path } }) => `${method} ${path}`);
    expect(named.filter((operation) => operation !== 'GET /health/ready' && !known.includes(operation))).toEqual([]);
  });
});
