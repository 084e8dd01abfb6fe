import { errors, type ErrorCode, Problem } from '@profile-service/contracts';
import { expect } from 'vitest';
import { recordExchange } from '../support/exchanges.ts';
import { type CompleteResponse as ApiResponse, sendRequest } from '../support/http.ts';
import type { World } from '../support/world.ts';

export type { CompleteResponse as ApiResponse } from '../support/http.ts';

export interface Wire {
  /** Several values of a header become several lines. */
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Whether the body is sent in chunks, without Content-Length. */
  chunked?: boolean;
}

/** Sends path and headers unchanged, also those that `fetch` would reject. @param target e.g. `GET /api/%zz` */
export async function send(url: string, target: string, { headers = {}, body, chunked = false }: Wire = {}): Promise<ApiResponse> {
  const at = target.indexOf(' ');
  const { hostname, port } = new URL(url);
  const framing = body === undefined ? {} : chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(body) };
  const [method, path] = [target.slice(0, at), target.slice(at + 1)];
  const response = await sendRequest({ hostname, port, method, path, headers: { ...framing, ...headers }, agent: false }, body);
  recordExchange({ target, headers, body, response: { status: response.status, body: response.bytes } });
  return response;
}

/** Returns a function that sends requests as the Global user, unless they have another `authorization`. */
export const asGlobal =
  (world: World) =>
  (target: string, { headers, ...wire }: Wire = {}): Promise<ApiResponse> =>
    send(world.service.url, target, { ...wire, headers: { authorization: `Bearer ${world.global.token}`, ...headers } });

/** Checks that the response is this problem, with status, content type, document and request id. Returns the document. */
export function expectProblem({ status, headers, text }: ApiResponse, code: ErrorCode): Problem {
  expect([status, headers['content-type'], text]).toEqual([errors[code].status, 'application/problem+json', expect.any(String)]);
  const problem = Problem.strict().parse(JSON.parse(text));
  expect(problem).toMatchObject({ code, status, title: errors[code].title, instance: headers['x-request-id'] });
  expect(problem.type).toBe(`http://docs.example/errors#${code}`);
  return problem;
}
