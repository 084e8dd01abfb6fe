import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service/service.ts';
import type { World } from '../support/world.ts';

interface Report {
  status: string;
  checks: { storage: string };
  reasons: { storage?: string };
}

/** A service whose health and log a test reads. */
export interface Observed {
  service: Service;
  /** Status code and the parts of the report about the storage, on the management port. */
  health(): Promise<{ code: number; status: string; storage: string; reason: string | undefined }>;
  /** Messages in the log, each with the reason if it has one. */
  logged(): string[];
}

/** Starts another service of the world, with these settings of the storage. */
export async function startObserved(world: World, settings: Record<string, string>): Promise<Observed> {
  const lines: string[] = [];
  const service = await world.another(
    { MANAGEMENT_PORT: '0', STORAGE_DIR: '', ...settings },
    { healthIntervalMs: 100, log: createLog('info', { write: (line) => lines.push(line) }) },
  );
  return {
    service,
    async health() {
      const response = await fetch(`${service.managementUrl}/health/ready`);
      const { status, checks, reasons } = (await response.json()) as Report;
      return { code: response.status, status, storage: checks.storage, reason: reasons.storage };
    },
    logged: () =>
      lines
        .map((line) => JSON.parse(line) as { msg: string; reason?: string })
        .map(({ msg, reason }) => (reason === undefined ? msg : `${msg}: ${reason}`)),
  };
}
