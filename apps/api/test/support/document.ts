import { expect } from 'vitest';
import { endpointAt, type PlainAnswer, undeclared } from './declared.ts';

/** Fails unless the published document declares this answer: its status, its content type, its body, its code. */
export function expectDeclared(method: string, pathAndQuery: string, answer: PlainAnswer): void {
  const endpoint = endpointAt(method, pathAndQuery);
  if (endpoint) expect(undeclared(endpoint, answer)).toBeUndefined();
}
