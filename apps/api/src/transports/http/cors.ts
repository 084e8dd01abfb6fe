import {
  type Endpoint,
  errors,
  errorsOf,
  httpMethodsOf,
  requestHeadersOf,
  responseHeadersOf,
  successStatusesOf,
} from '@profile-service/contracts';
import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Operation } from '../../request/operation.ts';

/** Request headers that every endpoint accepts. */
const commonRequestHeaders = ['authorization', 'content-type', 'x-request-id'];

/**
 * Creates the CORS middleware. It also sends the response to a preflight request. Without origins, no response has CORS headers. Methods and headers are
 * those that the endpoints declare.
 * @param origins the allowed origins, or patterns of them; `*` allows every origin
 */
export function createCors(origins: readonly (string | RegExp)[], operations: readonly Operation[]): RequestHandler {
  if (origins.length === 0) return (_request, _response, next) => next();
  const endpoints = operations.map(({ endpoint }) => endpoint);
  const union = (namesOf: (endpoint: Endpoint) => readonly string[]) => [...new Set(endpoints.flatMap(namesOf))].toSorted();
  const statusesOf = (endpoint: Endpoint) => [...successStatusesOf(endpoint), ...errorsOf(endpoint).map((code) => errors[code].status)];
  const setHeaders = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: union(httpMethodsOf),
    allowedHeaders: [...commonRequestHeaders, ...union(requestHeadersOf).map(lowerCase)],
    exposedHeaders: union((endpoint) => statusesOf(endpoint).flatMap((status) => responseHeadersOf(endpoint, status))).map(lowerCase),
    maxAge: 600,
  });
  return (request, response, next) => (request.headers.origin === undefined ? next() : setHeaders(request, response, next));
}

const lowerCase = (name: string) => name.toLowerCase();
