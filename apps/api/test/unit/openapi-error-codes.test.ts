import { expect, test } from 'vitest';
import { withErrorCodes } from '../../../../scripts/openapi/error-codes.ts';

const problem = { type: 'object', required: ['code'], properties: { code: { type: 'string' }, detail: { type: 'string' } } };
const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const conflict = { description: 'Conflict', content: problemContent, 'x-error-codes': ['APP_IN_USE', 'PRECONDITION_FAILED'] };
const success = { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/App' } } } };

const withCodes = (...codes: string[]) => ({
  ...problem,
  properties: {
    ...problem.properties,
    code: { type: 'object', required: codes, properties: Object.fromEntries(codes.map((code) => [code, { type: 'string' }])) },
  },
});

test('each response gets a schema with its own error codes', () => {
  const document = {
    paths: {
      '/apps': {
        get: { responses: { '200': success, '401': { $ref: '#/components/responses/Unauthorized' } } },
        delete: { responses: { '409': conflict } },
      },
    },
    components: {
      responses: { Unauthorized: { content: problemContent, 'x-error-codes': ['UNAUTHORIZED'] } },
      schemas: { App: { type: 'object' }, Problem: problem },
    },
  };
  const before = structuredClone(document);
  const { paths } = withErrorCodes(document);
  expect(paths).toEqual({
    '/apps': {
      get: { responses: { '200': success, '401': { content: { 'application/problem+json': { schema: withCodes('UNAUTHORIZED') } } } } },
      delete: {
        responses: {
          '409': {
            description: 'Conflict',
            content: { 'application/problem+json': { schema: withCodes('APP_IN_USE', 'PRECONDITION_FAILED') } },
          },
        },
      },
    },
  });
  expect(document).toEqual(before);
});
