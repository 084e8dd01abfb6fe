import type { World } from '../work/world.ts';
import type { TrafficName } from './traffic.ts';

/**
 * How a stream sends: at a mean rate, whether or not the service keeps up (an open loop with exponentially distributed pauses), or the next request when the
 * response has arrived, on some connections (a closed loop).
 */
export type Pace = { perSecond: number } | { connections: number };

/** A stream of requests. */
export interface Stream {
  name: string;
  traffic: TrafficName;
  /** Indexes of the tenants that send the requests in turn. */
  tenants: readonly number[];
  pace: Pace;
}

/** What the generator sends, and to whom. */
export interface StreamsRequest {
  world: World;
  port: number;
  seconds: number;
  streams: readonly Stream[];
  /** A request that finds no free connection opens one, up to this number. */
  maxConnections: number;
}

/** The responses of one stream. Durations are in milliseconds, from the time at which the request was due. */
export interface StreamResult {
  name: string;
  /** Requests that were due. */
  due: number;
  /** Requests that were not sent, because all connections were waiting for a response. */
  notSent: number;
  /** Responses 2xx. */
  accepted: number;
  /** Responses 503 with Retry-After. */
  shed: number;
  /** Other responses, by status, and broken connections. */
  errors: Record<string, number>;
  acceptedP50: number;
  acceptedP99: number;
  shedP99: number;
  /** Of requests that were due more than 5 seconds after the start. */
  later: { acceptedP99: number; shedP99: number };
}

/** What a run of streams has measured. */
export interface StreamsResult {
  seconds: number;
  streams: StreamResult[];
  /** 99th percentile of how late the generator sent the requests: it must not be the bottleneck. */
  lateP99: number;
}
