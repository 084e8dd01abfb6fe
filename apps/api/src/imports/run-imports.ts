import { setTimeout as pause } from 'node:timers/promises';
import { type ImportRow, listRunnableImports } from '@profile-service/db';
import type { Log } from '../observability/log.ts';
import { type ImportDependencies, runImport } from './run-import.ts';

/** How often new imports are looked for, in milliseconds. */
const refreshMs = 500;
/** Pause of an import after a failure, in milliseconds. */
const retryMs = 5_000;

/**
 * Runs all imports, those of a tenant one after the other. They share few connections, so that the imports of several tenants take turns. Returns when the
 * signal is aborted. Throws if the database fails.
 */
export async function runImports(dependencies: ImportDependencies, log: Log, signal: AbortSignal): Promise<void> {
  const running = new Map<string, Promise<void>>();
  /** The number of rows that each import had done when it failed. */
  const failedAt = new Map<string, number>();
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const start = (importRow: ImportRow) => {
    const { id, processed } = importRow;
    const isRepeated = failedAt.get(id) === processed;
    failedAt.delete(id);
    const run = runImport(importRow, dependencies, both, isRepeated)
      .catch(async (error: unknown) => {
        if (both.aborted) return;
        const found = await listRunnableImports(dependencies.database).catch(() => []);
        failedAt.set(id, found.find((each) => each.id === id)?.processed ?? processed);
        log.warn({ import: id, reason: String(error) }, 'an import has failed, and continues in 5 seconds');
        await pause(retryMs, undefined, { signal: both }).catch(() => undefined);
      })
      .finally(() => running.delete(id));
    running.set(id, run);
  };
  try {
    while (!signal.aborted) {
      for (const importRow of await listRunnableImports(dependencies.database)) if (!running.has(importRow.id)) start(importRow);
      await pause(refreshMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    ended.abort();
    await Promise.all(running.values());
  }
}
