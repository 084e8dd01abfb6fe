import { type ErrorCode, errors, errorsOf, errorCodes, type NamedEndpoint, ProblemError } from '@profile-service/contracts';
import type { ExampleObject } from 'openapi3-ts/oas31';
import { problemDocument } from '../src/request/problem.ts';

const requestId = '2f1c9a54-3b8e-4d0a-9c57-6e1f0b7a8d21';
const docsBase = 'https://profile.example.com';

/** Creates an example for each error code of the endpoints, with the code that creates the responses of the service. */
export function problemExamples(endpoints: readonly NamedEndpoint[]): Record<string, ExampleObject> {
  const declared = new Set(endpoints.flatMap(({ endpoint }) => errorsOf(endpoint)));
  return Object.fromEntries(errorCodes.filter((code) => declared.has(code)).map((code) => [code, exampleOf(code)]));
}

/** What the service states about an occurrence, for codes whose text in the catalogue does not tell enough. */
const occurrences: Partial<Record<ErrorCode, ConstructorParameters<typeof ProblemError>[1]>> = {
  VALIDATION_FAILED: { errors: [{ path: 'email', message: 'Invalid email address' }] },
  PAYLOAD_TOO_LARGE: { detail: 'The body is larger than 1048576 bytes.' },
};

function exampleOf(code: ErrorCode): ExampleObject {
  return { summary: errors[code].title, value: problemDocument(new ProblemError(code, occurrences[code]), requestId, docsBase) };
}
