import type { ProfileError } from './error.ts';
import { connectionFailed, fromProblem, invalidResponse, type ResponseHead } from './error-from.ts';
import type { Problem } from './generated/models.ts';

/** A response whose body has arrived. */
export interface ReceivedResponse extends ResponseHead {
  text: string;
}

/** Reads the body of a response of `fetch`. @throws ProfileError if it breaks off */
export async function receive(response: Response, signal?: AbortSignal | null): Promise<ReceivedResponse & { headers: Headers }> {
  try {
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw connectionFailed(error, signal);
  }
}

/** Parses a response with JSON. @throws ProfileError if it has none */
export function parseJson(response: ReceivedResponse): unknown {
  try {
    return JSON.parse(response.text) as unknown;
  } catch (error) {
    throw invalidResponse(response, error);
  }
}

/** Builds the error of an error response over REST. A problem document without a code is not from the service. */
export function fromResponse(response: ReceivedResponse): ProfileError {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return invalidResponse(response);
  const problem = parseJson(response) as Partial<Problem> | null;
  return typeof problem?.code === 'string' ? fromProblem(problem as Problem, response.headers) : invalidResponse(response);
}
