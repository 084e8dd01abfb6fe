import { STATUS_CODES } from 'node:http';
import {
  type Endpoint,
  type ErrorCode,
  errors,
  errorsOf,
  responseHeaders,
  responseHeadersOf,
  successStatusesOf,
} from '@profile-service/contracts';
import type { ContentObject, HeadersObject, ReferenceObject, ResponseObject, ResponsesObject, SchemaObject } from 'openapi3-ts/oas31';
import { fileContent } from './files.ts';

/** Response headers, as components. */
export const headerComponents: HeadersObject = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, { description, type }]) => [
    name,
    { description, schema: type === 'integer' ? { type, format: 'int32' } : { type } },
  ]),
);

/** Describes the responses of the endpoint: success, and a problem for each status of its error codes. @param output schema of the success body */
export function responsesOf(endpoint: Endpoint, output: SchemaObject | ReferenceObject): ResponsesObject {
  const codesByStatus = Object.groupBy(errorsOf(endpoint), (code) => errors[code].status);
  return {
    ...successesOf(endpoint, output),
    ...Object.fromEntries(
      Object.entries(codesByStatus).map(([status, codes]) => [status, problemResponse(endpoint, Number(status), codes)]),
    ),
  };
}

/** An endpoint without output has no content, and neither has 304. A download has the file, or a range of it. */
function successesOf(endpoint: Endpoint, output: SchemaObject | ReferenceObject): ResponsesObject {
  const json = endpoint.output ? { content: { 'application/json': { schema: output } } } : {};
  const content = endpoint.media === 'download' ? { content: fileContent(endpoint) } : json;
  const contentOf = (status: number) => (status === 304 ? {} : content);
  return Object.fromEntries(
    successStatusesOf(endpoint).map((status) => [status, response(endpoint, status, STATUS_CODES[status], contentOf(status))]),
  );
}

function problemResponse(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): ResponseObject {
  const schema = { $ref: '#/components/schemas/Problem' };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    ...response(endpoint, status, `${STATUS_CODES[status]}: ${codes.join(', ')}`, {
      content: { 'application/problem+json': { schema, examples } },
    }),
    'x-error-codes': codes,
  };
}

function response(endpoint: Endpoint, status: number, description = '', content: { content?: ContentObject }): ResponseObject {
  const headers = responseHeadersOf(endpoint, status).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(headers) as HeadersObject, ...content };
}
