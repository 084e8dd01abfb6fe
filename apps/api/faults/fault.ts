import type { Environment } from './environment/environment.ts';

/** A fault of one part of a running installation. */
export interface Fault {
  /** The part that fails: the heading of its rows in docs/run/figures.md. */
  part: 'PostgreSQL' | 'Redis' | 'Identity provider' | 'Storage' | 'Service' | 'Clock' | 'DNS';
  /** What happens, as the row says it. */
  name: string;
  /** Outcomes that callers may see while the fault lasts and until the service has recovered, besides those of `alwaysAllowed`. */
  allowed: readonly string[];
  /** The shortest time in seconds after which callers see the effect. */
  minimumSeconds?: number;
  /** Restarts or changes parts before the load starts. */
  prepare?(environment: Environment): Promise<void>;
  /** Causes the fault. Returns when it has begun. */
  begin(environment: Environment): Promise<void>;
  /** Removes the cause. The service gets no other help. */
  end(environment: Environment): Promise<void>;
  /** Undoes `prepare`, after the load has stopped. */
  restore?(environment: Environment): Promise<void>;
}

/** Outcomes of a request, as `load/attempts.ts` counts them: a status with the code of the problem, or what the client saw instead. */
export const unavailable = '503 SERVICE_UNAVAILABLE';
export const rateLimited = '429 RATE_LIMITED';
export { broken as noResponse, cut as responseCut, hung, refused } from './load/request.ts';
export const noUpload = '400 FailedToUploadFileError';
export const noDownload = '400 FailedToDownloadFileError';

/** Outcomes that are correct at any time: a success, and an equal request that is still running. */
export const alwaysAllowed: readonly string[] = ['success', '409 IDEMPOTENCY_KEY_IN_PROGRESS'];
