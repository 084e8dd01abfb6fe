import { expect } from 'vitest';
import { endpointAt, undeclared } from './declared.ts';

/** Fails unless the published document declares this answer: its status, its content type, its body, its code. */
export function expectDeclared(method: string, pathAndQuery: string, response: Pick<Response, 'status' | 'headers'>, body: unknown): void {
  const endpoint = endpointAt(method, pathAndQuery);
  if (!endpoint) return;
  const type = response.headers.get('content-type')?.split(';')[0];
  expect(undeclared(endpoint, { status: response.status, type, body })).toBeUndefined();
}
