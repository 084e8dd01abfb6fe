import { expect } from 'vitest';
import { rowAt, undeclared } from './declared.ts';

/** Fails unless the published document declares this answer: its status, its content type, its body, its code. */
export function expectDeclared(method: string, pathAndQuery: string, response: Response, body: unknown): void {
  const row = rowAt(method, pathAndQuery);
  if (!row) return;
  const type = response.headers.get('content-type')?.split(';')[0];
  expect(undeclared(row, { status: response.status, type, body })).toBeUndefined();
}
