import { setTimeout as pause } from 'node:timers/promises';
import { activeTenantId, type Caller } from '@profile-service/auth';
import { exportTypes } from '@profile-service/contracts';
import { recordExport } from '@profile-service/db';
import { recordWriter, type WriteOptions } from '@profile-service/record-files';
import type { z } from 'zod';
import type { CompiledEndpoint } from '../compiled-endpoint.ts';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import type { AnyExport, FileContext, FileSource } from '../handler.ts';
import type { Input } from '../input.ts';
import { createProjection } from '../projection.ts';
import { recordTypeOfEndpoint } from '../record-type.ts';
import { defineStep } from '../step.ts';
import { actorOf } from '../write-origin.ts';

/** Reading and encoding so many records takes about 1 ms. Then other requests have their turn. */
const rowsPerPart = 50;

interface ExportRequest {
  caller: Caller;
  input: Input;
  /** What the handler's check returned. */
  checked: unknown;
}

/** A file, and what is done at its end: also after an error, if the response has begun. */
interface Source extends FileSource {
  end?(): Promise<unknown>;
}

/**
 * Sends the file that the handler makes, from one snapshot. The first part is made before the response begins, so that an error has a response of its own. After
 * that, an error breaks the connection.
 */
export const sendExport = defineStep(
  'send-export',
  async (
    context: RequestContext,
    endpoint: CompiledEndpoint<AnyExport>,
    { exports: { database, maxSeconds }, handlerDependencies: { importFiles } }: RequestDependencies,
    { caller, input, checked }: ExportRequest,
  ): Promise<void> => {
    const { request, log } = context;
    const format = input['format'] as WriteOptions['format'];
    const open = (name: string) => {
      const filename = `${name}-${new Date().toISOString().slice(0, 10)}.${format}`;
      const file = request.openFile?.({ contentType: exportTypes[format], filename });
      if (!file) throw new Error('The transport cannot send a file');
      return file;
    };
    const snapshot: FileContext<unknown>['snapshot'] = (statement, values) =>
      database.snapshot(statement.bind(values, caller.organizationScope), { rows: rowsPerPart, maxSeconds }) as AsyncGenerator<never[]>;
    const fileContext = { input, caller, snapshot, importFiles } as never;
    const source: Source = (await endpoint.handler.open?.(fileContext, checked)) ?? listSource(context, endpoint, fileContext, database);
    const endsAt = performance.now() + maxSeconds * 1000;
    const parts = source.parts[Symbol.asyncIterator]();
    let readMs = 0;
    const next = async () => {
      const startedAt = performance.now();
      const part = await parts.next();
      readMs = performance.now() - startedAt;
      return part;
    };
    let hasBegun = false;
    try {
      let part = await next();
      const file = open(source.name);
      if (request.isHead) {
        await parts.return?.();
        return file.end();
      }
      hasBegun = true;
      await file.send(source.head, endsAt - performance.now());
      for (; part.done !== true; part = await next()) {
        await file.send(part.value, endsAt - performance.now());
        // Half of the time of PostgreSQL and of this process is left to other requests.
        await pause(readMs);
      }
      await source.end?.();
      file.end();
    } catch (error) {
      await parts.return?.();
      log.warn({ reason: String(error) }, 'an export has failed');
      if (hasBegun) await source.end?.();
      throw error;
    }
  },
);

/** The records of a list. At the end, adds an audit entry with the number of records that were sent. */
function listSource(
  { operation, requestId }: RequestContext,
  { endpoint, handler: { list } }: CompiledEndpoint<AnyExport>,
  { input, caller, snapshot }: FileContext<Input>,
  database: RequestDependencies['exports']['database'],
): Source {
  const { format, delimiter, bom, ...filters } = input as Input & WriteOptions;
  if (!list) throw new Error(`${operation} exports nothing`);
  const record = endpoint.output as z.ZodObject;
  const project = createProjection(record);
  const show = list.show?.(caller as never) ?? ((row) => row);
  const { head, lines } = recordWriter(record, { format, delimiter, bom });
  let rows = 0;
  let recorded: Promise<unknown> | undefined;
  return {
    name: endpoint.path.split('/').at(-2) ?? '',
    head,
    parts: (async function* () {
      for await (const part of snapshot(list.statement(filters as never), filters as never)) {
        const text = lines(part.map((row) => project(show(row as never))));
        rows += part.length;
        yield text;
      }
    })(),
    end() {
      const entry = { operation, actor: actorOf(caller), requestId, tenantId: activeTenantId(caller), filters, rows };
      recorded ??= database.executor.run(recordExport({ ...entry, recordType: recordTypeOfEndpoint(operation, endpoint) }));
      return recorded;
    },
  };
}
