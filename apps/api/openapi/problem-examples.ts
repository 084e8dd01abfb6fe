import { type ErrorCode, errors, errorsOf, errorCodes, type NamedEndpoint, ProblemError } from '@profile-service/contracts';
import type { ExampleObject } from 'openapi3-ts/oas31';
import { problemDocument } from '../src/operation/problem.ts';

const requestId = '2f1c9a54-3b8e-4d0a-9c57-6e1f0b7a8d21';
const docsBase = 'https://profile.example.com';

/** An example for each error code of the rows, in the catalogue's order, made as the service makes its answers. */
export function problemExamples(endpoints: readonly NamedEndpoint[]): Record<string, ExampleObject> {
  const declared = new Set(endpoints.flatMap(({ endpoint }) => errorsOf(endpoint)));
  return Object.fromEntries(errorCodes.filter((code) => declared.has(code)).map((code) => [code, exampleOf(code)]));
}

function exampleOf(code: ErrorCode): ExampleObject {
  const faults = code === 'VALIDATION_FAILED' ? { errors: [{ path: 'email', message: 'Invalid email address' }] } : {};
  return { summary: errors[code].title, value: problemDocument(new ProblemError(code, faults), requestId, docsBase) };
}
