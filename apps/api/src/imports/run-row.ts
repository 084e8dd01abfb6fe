import type { UserCaller } from '@profile-service/auth';
import { type ErrorCode, ProblemError } from '@profile-service/contracts';
import { type ImportRow, type ImportRowResult, type WriteOrigin } from '@profile-service/db';
import type { FileRow } from '@profile-service/record-files';
import type { AnyExternal, AnyWrite, HandlerDependencies } from '../request/handler.ts';
import type { Input } from '../request/input.ts';
import { problemOf } from '../request/problem.ts';
import { assertOwnTenant } from '../request/steps/accept.ts';
import { type Authorization, authorizeCaller } from '../request/steps/admit.ts';
import type { RunInTransaction, Transaction } from '../request/transaction.ts';
import { actorOf } from '../request/write-origin.ts';
import { findExisting } from './find-existing.ts';
import type { RowEndpoint, RowEndpoints } from './row-endpoints.ts';

/** The import that a row belongs to. */
export interface RowContext {
  importRow: Pick<ImportRow, 'id' | 'type' | 'mode' | 'tenantId'>;
  endpoints: RowEndpoints;
  caller: UserCaller;
  dependencies: HandlerDependencies;
  /** Whether an unexpected error fails its row: the row has had such an error before. Otherwise the rows are done again. */
  isRepeated: boolean;
}

/** Codes of a failure that may pass. The row is done again later. */
const temporary: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'IDENTITY_PROVIDER_UNAVAILABLE', 'RATE_LIMITED'];

/** A row has failed, and its transaction must be rolled back. */
export class FailedRowError extends Error {
  readonly result: ImportRowResult;

  constructor(result: ImportRowResult, cause: unknown) {
    super(`Row ${result.row} has failed`, { cause });
    this.result = result;
  }
}

/**
 * Runs a row as a request of its endpoint, in a transaction of several rows.
 * @param onSent called when the next row may begin: the database works on this one while the next one is prepared
 * @throws FailedRowError, and what may pass, such as an unreachable database
 */
export async function runRow(context: RowContext, transaction: Transaction, row: FileRow, onSent?: () => void): Promise<ImportRowResult> {
  const { importRow, endpoints } = context;
  let endpoint = endpoints.create;
  let hasBegun = false;
  try {
    const existing = importRow.mode === 'upsert' ? await findExisting(transaction, importRow.type, row.input['federalTaxId']) : undefined;
    if (existing !== undefined && endpoints.update) endpoint = endpoints.update;
    const isUpdate = endpoint === endpoints.update;
    const errors = isUpdate ? row.errors.filter(({ path }) => isOfBody(endpoint, path)) : [...row.errors];
    if (errors.length > 0) throw new ProblemError('VALIDATION_FAILED', { errors });
    const input = acceptRow(context, endpoint, isUpdate ? { ...row.input, id: existing } : row.input);
    hasBegun = true;
    const { id, isUnchanged, hasBefore } = await change(context, endpoint, transaction, input, onSent);
    const mayUpdate = isUpdate || importRow.type === 'memberships';
    const changed = mayUpdate && hasBefore ? 'UPDATED' : 'CREATED';
    return { row: row.row, status: isUnchanged ? 'UNCHANGED' : changed, id, code: null, errors: [] };
  } catch (error) {
    const problem = rowProblem(context, error, endpoint);
    const result = failed(row, problem);
    // An unexpected error before the handler may have ended the transaction.
    if (hasBegun || problem.status === 500) throw new FailedRowError(result, error);
    return result;
  }
}

/** Whether the body of the endpoint has the column. An update ignores the others, such as those of the address. */
const isOfBody = ({ compiled }: RowEndpoint, column: string): boolean =>
  (column.split('.')[0] ?? '') in (compiled.endpoint.body?.shape ?? {});

/** The steps of a request before its handler runs. Throws the errors of the endpoint. */
export function acceptRow({ caller }: RowContext, { compiled }: RowEndpoint, values: Input): Input {
  const authorization: Authorization = authorizeCaller(compiled.endpoint, caller);
  const input = compiled.parse({ params: values, query: {}, body: values });
  assertOwnTenant(authorization, input);
  return input;
}

/** Runs the handler, and adds the audit entry and the event of the row. In a dry run, the external systems of the dependencies answer without a call. */
async function change(
  { importRow, caller, dependencies }: RowContext,
  endpoint: RowEndpoint,
  transaction: Transaction,
  input: Input,
  onSent?: () => void,
) {
  const handler = endpoint.compiled.handler as AnyWrite | AnyExternal;
  const inSame: RunInTransaction = (work) => work(transaction);
  const handlerContext = { ...dependencies, ...transaction, transaction: inSame, input, caller } as never;
  const { returned, recorded } = await transaction.part(
    originOfRow(importRow, endpoint, caller, input),
    async () => handler.run(handlerContext, await handler.check?.(handlerContext)),
    onSent,
  );
  return { ...recorded, id: idOf(returned) };
}

/** What the audit entry of a row says: the uploader as actor, and the id of the import as id of the request. */
export const originOfRow = (
  { id, tenantId }: RowContext['importRow'],
  { operation, compiled }: RowEndpoint,
  caller: UserCaller,
  input: Input,
): WriteOrigin => ({
  operation,
  actor: actorOf(caller),
  requestId: id,
  tenantId,
  events: compiled.endpoint.events,
  recordId: typeof input['id'] === 'string' ? input['id'] : null,
});

/** Returns the id of a returned record. That of a membership has both of its keys. */
export function idOf(returned: unknown): string {
  const { id, userId, tenantId } = returned as { id?: string; userId?: string; tenantId?: string };
  return id ?? `${userId}:${tenantId}`;
}

/** The problem of a row. @throws an error that may pass */
export function rowProblem({ isRepeated }: RowContext, error: unknown, { compiled }: RowEndpoint): ProblemError {
  const problem = problemOf(error, compiled.endpoint);
  if (temporary.includes(problem.code) || (problem.status === 500 && !isRepeated)) throw error;
  return problem;
}

/** The result of a row that was refused. */
export const failed = ({ row }: FileRow, { code, errors = [] }: ProblemError): ImportRowResult => ({
  row,
  status: 'FAILED',
  id: null,
  code,
  errors,
});
