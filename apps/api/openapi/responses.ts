import { STATUS_CODES } from 'node:http';
import { type Endpoint, type ErrorCode, errors, errorsOf } from '@profile-service/contracts';
import type { ContentObject, HeadersObject, ReferenceObject, ResponseObject, ResponsesObject, SchemaObject } from 'openapi3-ts/oas31';
import { downloadSuccesses, fileContent, fileHeaders } from './files.ts';

/** Response headers, as components. */
export const responseHeaders: HeadersObject = {
  'X-Request-Id': {
    description: 'Id of the request: the one that the client sent in this header, or a new one.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'The challenge of RFC 6750.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The rate limit that applies: requests (q) per seconds (w), such as `"caller";q=500;w=1`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Requests that remain (r) and seconds until the limit resets (t), such as `"caller";r=499;t=1`.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', format: 'int32' } },
  ...fileHeaders,
};

/** Describes the responses of the endpoint: success, and a problem for each status of its error codes. @param output schema of the success body */
export function responsesOf(endpoint: Endpoint, output: SchemaObject | ReferenceObject): ResponsesObject {
  const codesByStatus = Object.groupBy(errorsOf(endpoint), (code) => errors[code].status);
  return {
    ...successesOf(endpoint, output),
    ...Object.fromEntries(Object.entries(codesByStatus).map(([status, codes]) => [status, problemResponse(Number(status), codes)])),
  };
}

/** An endpoint without output has no content. A download has the file, a range of it, or nothing because the client has it cached. */
function successesOf(endpoint: Endpoint, output: SchemaObject | ReferenceObject): ResponsesObject {
  if (endpoint.media === 'download') {
    return Object.fromEntries(
      Object.entries(downloadSuccesses).map(([status, headers]) => {
        const content = status === '304' ? {} : { content: fileContent(endpoint) };
        return [status, response(Number(status), STATUS_CODES[status], content, headers)];
      }),
    );
  }
  const content = endpoint.output ? { content: { 'application/json': { schema: output } } } : {};
  return { [endpoint.success]: response(endpoint.success, STATUS_CODES[endpoint.success], content) };
}

function problemResponse(status: number, codes: readonly ErrorCode[]): ResponseObject {
  const schema = { $ref: '#/components/schemas/Problem' };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    ...response(status, `${STATUS_CODES[status]}: ${codes.join(', ')}`, { content: { 'application/problem+json': { schema, examples } } }),
    'x-error-codes': codes,
  };
}

function response(status: number, description = '', content: { content?: ContentObject }, own: readonly string[] = []): ResponseObject {
  const names = [
    'X-Request-Id',
    ...(status < 400 || status === 429 ? ['RateLimit-Policy', 'RateLimit'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 416 ? ['Content-Range'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...own,
  ];
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  return { description, headers, ...content };
}
