import * as contracts from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createDocument } from '../../openapi/document.ts';
import { generalHeaders } from '../../openapi/responses.ts';
import { readJson } from '../support/project-files.ts';

const { acceptsIdempotencyKey, acceptsIfMatch, acceptsIfNoneMatch, defineEndpoint, endpoints, errors, errorsOf } = contracts;

// `pnpm generate openapi --check` compares the committed document with the contract.
const document = readJson<any>('apps/api/openapi.json');
/** Includes 304, the response to a conditional request. */
const isSuccess = (status: string) => Number(status) < 400;
const component = (kind: string, name: string | undefined) => ({ $ref: `#/components/${kind}/${name}` });

const fileTypes = ['image/jpg', 'image/jpeg', 'image/png', 'image/webp', 'application/pdf'];
const binary = { type: 'string', format: 'binary' };
/** The content of a download. Generators of clients look for `application/octet-stream`. */
const fileOf = (types: string[]) => Object.fromEntries(['application/octet-stream', ...types].map((type) => [type, { schema: binary }]));
const file = fileOf(fileTypes);
const exported = fileOf(['application/x-ndjson', 'text/csv']);

// Rules: OPENAPI-1
test('the document contains exactly the endpoints of the contract', () => {
  const described = Object.entries<any>(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  expect(new Set(described)).toEqual(new Set(endpoints.map(({ endpoint }) => `${endpoint.method.toLowerCase()} ${endpoint.path}`)));
});

describe.each(endpoints.map(({ name, endpoint }) => [name, endpoint] as const))('%s', (_name, endpoint) => {
  const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()];
  const isService = endpoint.path.startsWith('/service/');

  // Rules: OPENAPI-2
  test('has its success status, with a named body or none', () => {
    const successes = Object.entries<any>(operation.responses).filter(([status]) => isSuccess(status));
    const json = endpoint.output ? { 'application/json': { schema: component('schemas', endpoint.output.meta()?.id) } } : undefined;
    const content = endpoint.media === 'stream' ? { 'text/event-stream': { schema: { type: 'string' } } } : json;
    const success =
      endpoint.media === 'download' ? { 200: file, 206: file } : { [endpoint.success]: endpoint.media === 'export' ? exported : content };
    const expected = { ...success, ...(acceptsIfNoneMatch(endpoint) ? { 304: undefined } : {}) };
    expect(successes.map(([status, response]) => [status, response.content])).toEqual(Object.entries(expected));
  });

  test('refers to its request body by name', () => {
    const schema = component('schemas', endpoint.body?.meta()?.id);
    const content = { [endpoint.media === 'upload' ? 'multipart/form-data' : 'application/json']: { schema } };
    expect(operation.requestBody?.content).toEqual(endpoint.body ? content : undefined);
  });

  // Rules: ERRORS-2, OPENAPI-3
  test('lists each declared error code under its status, with an example', () => {
    const problems = Object.entries<any>(operation.responses).filter(([status]) => !isSuccess(status));
    expect(new Set(problems.flatMap(([, response]) => response['x-error-codes']))).toEqual(new Set(errorsOf(endpoint)));
    for (const [status, response] of problems) {
      const codes: (keyof typeof errors)[] = response['x-error-codes'];
      expect(codes.map((code) => String(errors[code].status))).toEqual(codes.map(() => status));
      expect(codes.filter((code) => !response.description.includes(code))).toEqual([]);
      const examples = Object.fromEntries(codes.map((code) => [code, component('examples', code)]));
      expect(response.content).toEqual({ 'application/problem+json': { schema: component('schemas', 'Problem'), examples } });
    }
  });

  // Rules: OPENAPI-2
  test('has one security scheme, and the headers of its requests', () => {
    expect(operation.security).toEqual([isService ? { serviceToken: [] } : { userToken: [] }]);
    const components = operation.parameters.filter((parameter: object) => '$ref' in parameter);
    const names = [
      ...(endpoint.media === 'download' ? ['Range', 'IfRange'] : []),
      ...(endpoint.media === 'stream' ? ['LastEventID'] : []),
      ...(acceptsIfNoneMatch(endpoint) ? ['IfNoneMatch'] : []),
      ...(acceptsIfMatch(endpoint) ? ['IfMatch'] : []),
      ...(acceptsIdempotencyKey(endpoint) ? ['IdempotencyKey'] : []),
      ...(isService ? [] : ['XTenantId']),
    ];
    expect(components).toEqual(names.map((name) => component('parameters', name)));
  });
});

test('an endpoint with a sunset is deprecated', () => {
  const declaration = { summary: 'List my places', output: z.object({}).meta({ id: 'MyPlaces' }), success: 200 } as const;
  const endpoint = defineEndpoint('GET /api/me/tenants', contracts.access.me, { ...declaration, sunset: '2027-06-30' });
  const { paths } = createDocument([{ name: 'me.tenants', endpoint }]);
  expect(paths?.['/api/me/tenants']?.get).toMatchObject({ deprecated: true, 'x-sunset': '2027-06-30' });
  expect(JSON.stringify(document)).not.toContain('x-sunset');
});

test('the introduction describes the headers that most responses have', () => {
  for (const name of generalHeaders)
    expect(document.info.description).toContain(`- \`${name}\`: ${contracts.responseHeaders[name].description}`);
});

// Rules: OPENAPI-2
test('operation ids are unique and in camelCase', () => {
  const ids = Object.values<any>(document.paths).flatMap((item) => Object.values<any>(item).map((operation) => operation.operationId));
  expect(new Set(ids).size).toBe(endpoints.length);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
});
