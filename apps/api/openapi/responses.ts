import { STATUS_CODES } from 'node:http';
import { type Endpoint, type ErrorCode, errors, errorsOf, responseHeaders, responseHeadersOf } from '@profile-service/contracts';
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

/** An endpoint without output has no content. A download has the file, a range of it, or nothing because the client has it cached. */
function successesOf(endpoint: Endpoint, output: SchemaObject | ReferenceObject): ResponsesObject {
  if (endpoint.media === 'download') {
    const statuses = Object.keys(endpoint.responseHeaders)
      .map(Number)
      .filter((status) => status < 400);
    const contentOf = (status: number) => (status === 304 ? {} : { content: fileContent(endpoint) });
    return Object.fromEntries(statuses.map((status) => [status, response(endpoint, status, STATUS_CODES[status], contentOf(status))]));
  }
  const content = endpoint.output ? { content: { 'application/json': { schema: output } } } : {};
  return { [endpoint.success]: response(endpoint, endpoint.success, STATUS_CODES[endpoint.success], content) };
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
