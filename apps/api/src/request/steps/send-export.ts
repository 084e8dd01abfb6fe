import { activeTenantId, type Caller } from '@profile-service/auth';
import { exportTypes } from '@profile-service/contracts';
import { recordExport } from '@profile-service/db';
import { recordWriter, type WriteOptions } from '@profile-service/record-files';
import type { z } from 'zod';
import type { CompiledEndpoint } from '../compiled-endpoint.ts';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import type { AnyExport } from '../handler.ts';
import type { Input } from '../input.ts';
import { createProjection } from '../projection.ts';
import { recordTypeOfEndpoint } from '../record-type.ts';
import { defineStep } from '../step.ts';
import { actorOf } from '../write-origin.ts';

/** Reading, encoding and writing so many records takes about 2 ms. Then other requests have their turn. */
const rowsPerPart = 200;

/**
 * Sends the records that the handler selects, from one snapshot, and adds the audit entry. The first records are read before the response begins, so that an
 * error has a response of its own. After that, an error breaks the connection, and the entry has the number of records that were sent.
 */
export const sendExport = defineStep(
  'send-export',
  async (
    context: RequestContext,
    { endpoint, handler }: CompiledEndpoint<AnyExport>,
    { exports: { database, maxSeconds } }: RequestDependencies,
    caller: Caller,
    input: Input,
  ): Promise<void> => {
    const { operation, requestId, request } = context;
    const { format, delimiter, bom, ...filters } = input as Input & WriteOptions;
    const record = endpoint.output as z.ZodObject;
    const project = createProjection(record);
    const show = handler.show?.(caller as never) ?? ((row) => row);
    const writer = recordWriter(record, { format, delimiter, bom });
    const statement = handler.statement(filters as never).bind(filters as never, caller.organizationScope);
    const parts = database.snapshot(statement, { rows: rowsPerPart, maxSeconds });
    const endsAt = performance.now() + maxSeconds * 1000;
    let rows: number | undefined;
    const open = () => {
      const file = request.openFile?.({ contentType: exportTypes[format], filename: filenameOf(endpoint.path, format) });
      if (!file) throw new Error('The transport cannot send a file');
      return file;
    };
    if (request.isHead) return open().end();
    try {
      let part = await parts.next();
      const file = open();
      rows = 0;
      await file.send(writer.head, endsAt - performance.now());
      for (; part.done !== true; part = await parts.next()) {
        rows += part.value.length;
        await file.send(writer.lines(part.value.map((row) => project(show(row as never)))), endsAt - performance.now());
      }
      await parts.return();
      await recordRows(rows);
      file.end();
    } catch (error) {
      await parts.return();
      context.log.warn({ rows, reason: String(error) }, 'an export has failed');
      if (rows !== undefined) await recordRows(rows);
      throw error;
    }

    function recordRows(sent: number): Promise<unknown> {
      const recordType = recordTypeOfEndpoint(operation, endpoint);
      const entry = { operation, actor: actorOf(caller), requestId, tenantId: activeTenantId(caller), recordType, filters, rows: sent };
      return database.executor.run(recordExport(entry));
    }
  },
);

/** The last noun of the path and the date: `organizations-2026-01-31.csv`. */
const filenameOf = (path: string, format: string): string => `${path.split('/').at(-2)}-${new Date().toISOString().slice(0, 10)}.${format}`;
