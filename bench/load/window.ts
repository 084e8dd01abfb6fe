import type { World } from '../work/world.ts';

/** What the load generator sends, and to whom. */
export interface WindowRequest {
  work: string;
  world: World;
  port: number;
  /** Process ids whose CPU time is measured: the server, and the postmaster. */
  server: number;
  postmaster: number;
  connections: number;
  /** How long requests are sent before the measurement. */
  warmSeconds: number;
  seconds: number;
  /** Ends the measurement earlier; requests that create records must not run out of new ones. */
  maxRequests?: number;
}

/** What was measured in one window. Times of requests are in milliseconds, CPU times in microseconds per request. */
export interface WindowResult {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  serverCpu: number;
  postgresCpu: number;
}
