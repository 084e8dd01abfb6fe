import { type Endpoint, errors, errorsOf, requestHeadersOf, responseHeadersOf } from '@profile-service/contracts';
import createCors from 'cors';
import type { Exchange } from './exchange.ts';

/** Headers that every request may carry. */
const commonRequestHeaders = ['authorization', 'content-type', 'x-request-id'];

/** Sets the CORS headers and calls `next`; answers a preflight itself. */
export type Cors = (exchange: Exchange, next: () => void) => void;

/**
 * CORS for the origins of the settings; without any, no response names an origin. Methods and headers are those that the endpoints declare.
 * @param origins `*` allows every origin
 */
export function createCorsPolicy(origins: readonly string[], endpoints: readonly Endpoint[]): Cors {
  if (origins.length === 0) return (_exchange, next) => next();
  const union = (namesOf: (endpoint: Endpoint) => readonly string[]) => [...new Set(endpoints.flatMap(namesOf))].toSorted();
  const statusesOf = (endpoint: Endpoint) => [
    endpoint.success,
    ...Object.keys(endpoint.responseHeaders).map(Number),
    ...errorsOf(endpoint).map((code) => errors[code].status),
  ];
  const cors = createCors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: union(({ method }) => [method]),
    allowedHeaders: [...commonRequestHeaders, ...union(requestHeadersOf).map(lowerCase)],
    exposedHeaders: union((endpoint) => statusesOf(endpoint).flatMap((status) => responseHeadersOf(endpoint, status))).map(lowerCase),
    maxAge: 600,
  });
  return (exchange, next) => {
    if (exchange.request.headers.origin === undefined) return next();
    // A preflight has the headers of every response too.
    exchange.applyHeaders();
    cors(exchange.request, exchange.response, next);
  };
}

const lowerCase = (name: string) => name.toLowerCase();
