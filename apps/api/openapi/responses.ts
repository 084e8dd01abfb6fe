import { STATUS_CODES } from 'node:http';
import {
  type Endpoint,
  type ErrorCode,
  errors,
  errorsOf,
  type Header,
  type ResponseHeader,
  responseHeaders,
  responseHeadersOf,
  successStatusesOf,
} from '@profile-service/contracts';
import type { ContentObject, HeadersObject, ReferenceObject, ResponseObject, ResponsesObject, SchemaObject } from 'openapi3-ts/oas31';
import { describeFile, fileContent, hasFile } from './files.ts';

/**
 * Headers that all responses have, or all with a kind of status. The introduction of the document describes them, because client generators write code for each
 * header of each response.
 */
export const generalHeaders: readonly ResponseHeader[] = ['X-Request-Id', 'WWW-Authenticate', 'RateLimit-Policy', 'RateLimit'];

const isGeneral = (name: string): boolean => generalHeaders.some((general) => general === name);

/** The other response headers, as components. */
export const headerComponents: HeadersObject = Object.fromEntries(
  Object.entries<Header>(responseHeaders)
    .filter(([name]) => !isGeneral(name))
    .map(([name, { description, type }]) => [name, { description, schema: type === 'integer' ? { type, format: 'int32' } : { type } }]),
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
  const content = contentOf(endpoint, json);
  return Object.fromEntries(
    successStatusesOf(endpoint).map((status) => {
      const isFile = hasFile(endpoint) && status !== 304;
      const description = isFile ? `${STATUS_CODES[status]}: ${describeFile(endpoint)}` : STATUS_CODES[status];
      return [status, response(endpoint, status, description, status === 304 ? {} : content)];
    }),
  );
}

/** A stream is text: generated clients cannot parse its messages. */
function contentOf(endpoint: Endpoint, json: { content?: ContentObject }): { content?: ContentObject } {
  if (hasFile(endpoint)) return { content: fileContent(endpoint) };
  return endpoint.media === 'stream' ? { content: { 'text/event-stream': { schema: { type: 'string' } } } } : json;
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
  const names = responseHeadersOf(endpoint, status).filter((name) => !isGeneral(name));
  const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, ...(names.length > 0 ? { headers: Object.fromEntries(headers) as HeadersObject } : {}), ...content };
}
