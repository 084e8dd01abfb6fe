import {
  type Endpoint,
  errors,
  errorsOf,
  httpMethodsOf,
  requestHeadersOf,
  responseHeadersOf,
  successStatusesOf,
} from '@profile-service/contracts';
import createCors from 'cors';
import type { Operation } from '../../request/operation.ts';
import type { Exchange } from './exchange.ts';

/** Request headers that every endpoint accepts. */
const commonRequestHeaders = ['authorization', 'content-type', 'x-request-id'];

/** Sets the CORS headers and calls `next`. It sends the response to a preflight request itself and then does not call `next`. */
export type Cors = (exchange: Exchange, next: () => void) => void;

/**
 * Creates the CORS policy. Without origins, no response has CORS headers. Methods and headers are those that the endpoints declare.
 * @param origins the allowed origins, or patterns of them; `*` allows every origin
 */
export function createCorsPolicy(origins: readonly (string | RegExp)[], operations: readonly Operation[]): Cors {
  if (origins.length === 0) return (_exchange, next) => next();
  const endpoints = operations.map(({ endpoint }) => endpoint);
  const union = (namesOf: (endpoint: Endpoint) => readonly string[]) => [...new Set(endpoints.flatMap(namesOf))].toSorted();
  const statusesOf = (endpoint: Endpoint) => [...successStatusesOf(endpoint), ...errorsOf(endpoint).map((code) => errors[code].status)];
  const cors = createCors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: union(httpMethodsOf),
    allowedHeaders: [...commonRequestHeaders, ...union(requestHeadersOf).map(lowerCase)],
    exposedHeaders: union((endpoint) => statusesOf(endpoint).flatMap((status) => responseHeadersOf(endpoint, status))).map(lowerCase),
    maxAge: 600,
  });
  return (exchange, next) => {
    if (exchange.request.headers.origin === undefined) return next();
    // The response to a preflight has the headers of every other response too.
    exchange.applyHeaders();
    cors(exchange.request, exchange.response, next);
  };
}

const lowerCase = (name: string) => name.toLowerCase();
