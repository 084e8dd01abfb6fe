import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Endpoint, errors, errorsOf, requestHeadersOf, responseHeadersOf } from '@profile-service/contracts';
import createCors from 'cors';

/** Headers that every request may carry. */
const commonRequestHeaders = ['Authorization', 'Content-Type', 'X-Request-Id'];

/** Answers preflights and sets the CORS headers, then calls `next`, unless the request was a preflight. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * CORS for the origins of the settings; without any, no response names an origin. Methods and headers are those that the endpoints declare.
 * @param origins `*` allows every origin
 */
export function createCorsPolicy(origins: readonly string[], endpoints: readonly Endpoint[]): Cors {
  if (origins.length === 0) return (_request, _response, next) => next();
  const union = (namesOf: (endpoint: Endpoint) => readonly string[]) => [...new Set(endpoints.flatMap(namesOf))].toSorted();
  const statusesOf = (endpoint: Endpoint) => [
    endpoint.success,
    ...Object.keys(endpoint.responseHeaders).map(Number),
    ...errorsOf(endpoint).map((code) => errors[code].status),
  ];
  const cors = createCors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: union(({ method }) => [method]),
    allowedHeaders: [...commonRequestHeaders, ...union(requestHeadersOf)],
    exposedHeaders: union((endpoint) => statusesOf(endpoint).flatMap((status) => responseHeadersOf(endpoint, status))),
    maxAge: 600,
  });
  return (request, response, next) => {
    if (request.headers.origin === undefined) next();
    else cors(request, response, next);
  };
}
