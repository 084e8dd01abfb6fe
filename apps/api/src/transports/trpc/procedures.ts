import { largestMaxBodyBytes, ProblemError } from '@profile-service/contracts';
import { validationFailed } from '../../request/validation-failed.ts';
import type { Operation } from '../../request/operation.ts';

/** Maximum number of calls in a batch (D-28). */
const maxCallsPerRequest = 100;

/** The operations by the names of their procedures. */
export type Procedures = ReadonlyMap<string, Operation>;

/** A call of a request. */
export interface ProcedureCall {
  /** The name of the procedure, as the client sent it. */
  path: string;
  /** Undefined if there is no such procedure. */
  operation: Operation | undefined;
}

/** Collects the operations that exchange JSON, or send a stream. Operations with files have no procedure. */
export const createProcedures = (operations: readonly Operation[]): Procedures =>
  new Map(operations.filter(({ endpoint }) => ['json', 'stream'].includes(endpoint.media)).map((operation) => [operation.name, operation]));

/** Returns the calls that a request names. Throws VALIDATION_FAILED. @param encodedPath the part of the URL that names the procedures */
export function parseCalls(encodedPath: string, isBatch: boolean, procedures: Procedures): ProcedureCall[] {
  const path = decode(encodedPath);
  const names = isBatch ? path.split(',') : [path];
  if (names.length > maxCallsPerRequest) throw validationFailed('', 'Batch call exceeds maximum size');
  const calls = names.map((name) => ({ path: name, operation: procedures.get(name) }));
  const types = new Set(calls.flatMap(({ operation }) => (operation ? typeOf(operation) : [])));
  if (isBatch && types.has('subscription')) throw validationFailed('', 'Cannot batch subscription calls');
  if (types.size > 1) throw validationFailed('', `Cannot mix procedure types in call: ${[...types].join(', ')}`);
  return calls;
}

/** Size limit of the body of a request, in bytes: the sum of the limits of its calls, up to that of the largest body. */
export const maxBodyBytesOf = (calls: readonly ProcedureCall[]): number =>
  Math.min(
    largestMaxBodyBytes,
    calls.reduce((total, { operation }) => total + (operation?.endpoint.maxBodyBytes ?? 0), 0),
  );

/** Returns the operation of a call. Throws ROUTE_NOT_FOUND or METHOD_NOT_ALLOWED. @param method of the request: GET for queries, POST for mutations */
export function requireOperation({ operation }: ProcedureCall, method: string | undefined): Operation {
  if (!operation) throw new ProblemError('ROUTE_NOT_FOUND');
  if (method !== (isQuery(operation) ? 'GET' : 'POST')) throw new ProblemError('METHOD_NOT_ALLOWED');
  return operation;
}

export const isQuery = ({ endpoint }: Operation): boolean => endpoint.method === 'GET';

export const isSubscription = ({ endpoint }: Operation): boolean => endpoint.media === 'stream';

const typeOf = (operation: Operation): string => (isSubscription(operation) ? 'subscription' : isQuery(operation) ? 'query' : 'mutation');

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw validationFailed('', `Invalid URL-encoding in path "${path}"`, error);
  }
}
