import { createTRPCUntypedClient } from '@trpc/client';
import { type Connection, pinTenant } from './connection.ts';
import { toProfileError } from './error-from.ts';
import type { Progress, UploadSource } from './files.ts';
import type { Import } from './generated/models.ts';
import type { ImportsCreateErrorCode, ImportsGetErrorCode } from './generated/procedures.ts';
import type { ImportRunner, RunImport, RunImportOptions, WaitForImport, WaitForImportOptions } from './imports.ts';
import { contextOf, requestLink } from './request-link.ts';
import { parseJson } from './response.ts';
import { toResult } from './result.ts';
import { endlessly, retry, wait } from './retries.ts';
import { upload } from './upload.ts';

/** Milliseconds between two requests for an import. The pause doubles from the first value to the last one. */
const firstPauseMs = 250;
const lastPauseMs = 2_000;
/** Time limit of a cancellation, in milliseconds. The rejection of the aborted call waits for it. */
const cancelTimeoutMs = 10_000;

/** Creates the methods of a client that run imports. */
export function importRunner(connection: Connection): ImportRunner {
  const run: (...args: Parameters<RunImport>) => Promise<Import> = (...args) => runImport(connection, ...args).catch(throwProfileError);
  const waitFor: (...args: Parameters<WaitForImport>) => Promise<Import> = (id, options = {}) =>
    waitForImport(connection, id, options).catch(throwProfileError);
  return {
    run: Object.assign(run, {
      safe: (...args: Parameters<RunImport>) => toResult<Import, ImportsCreateErrorCode | ImportsGetErrorCode>(run(...args)),
    }),
    wait: Object.assign(waitFor, {
      safe: (...args: Parameters<WaitForImport>) => toResult<Import, ImportsGetErrorCode>(waitFor(...args)),
    }),
  };
}

/** Uploads a file by `POST /api/imports`, and waits until the import has ended. Cancels it if the signal aborts. @throws ProfileError; what `onProgress` throws */
async function runImport(connection: Connection, file: UploadSource, options: RunImportOptions): Promise<Import> {
  const { onProgress, signal, idempotencyKey, dryRun, ...fields } = options;
  const pinned = pinTenant(connection);
  const form = { file, fields: { ...fields, dryRun: dryRun === undefined ? undefined : String(dryRun) } };
  const onUpload = onProgress && ((progress: Progress) => onProgress({ phase: 'upload', ...progress }));
  const created = parseJson(await upload(pinned, '/api/imports', form, { onProgress: onUpload, signal, idempotencyKey })) as Import;
  try {
    return await waitForImport(pinned, created.id, { onProgress, signal }, created);
  } catch (error) {
    if (signal?.aborted) await cancelImport(pinned, created.id).catch(() => undefined);
    throw error;
  }
}

/**
 * Requests an import again and again until it has ended.
 * @param known the import as the service has just returned it
 * @throws ProfileError; what `onProgress` throws
 */
async function waitForImport(
  connection: Connection,
  id: string,
  { onProgress, signal }: WaitForImportOptions,
  known?: Import,
): Promise<Import> {
  const client = createTRPCUntypedClient({ links: [requestLink(connection)] });
  const repeat = endlessly(connection, signal);
  const get = () =>
    repeat(async (tenantId) => {
      const context = contextOf(tenantId, true);
      return (await client.query('imports.get', { id }, signal ? { context, signal } : { context })) as Import;
    });
  let current = known ?? (await get());
  onProgress?.({ phase: 'rows', import: current });
  for (let pause = firstPauseMs; isActive(current); pause = Math.min(pause * 2, lastPauseMs)) {
    await wait(pause, signal);
    const before = JSON.stringify(current);
    current = await get();
    if (JSON.stringify(current) !== before) onProgress?.({ phase: 'rows', import: current });
  }
  return current;
}

const isActive = ({ status }: Import): boolean => status === 'QUEUED' || status === 'RUNNING';

/** Cancels an import. @throws ProfileError, also if the import has ended */
async function cancelImport(connection: Connection, id: string): Promise<void> {
  const client = createTRPCUntypedClient({ links: [requestLink(connection)] });
  const signal = AbortSignal.timeout(cancelTimeoutMs);
  // Repeatable: the second cancellation of an import changes nothing.
  await retry({ connection, policy: 'repeatable', signal }, (tenantId) =>
    client.mutation('imports.cancel', { id }, { signal, context: contextOf(tenantId, true) }),
  );
}

function throwProfileError(thrown: unknown): never {
  throw toProfileError(thrown);
}
