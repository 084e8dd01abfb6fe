import type { NamedEndpoint } from '@profile-service/contracts';
import type { Caller } from '../world/callers.ts';

/** A request as it travels. */
export interface Sent {
  face: 'REST' | 'tRPC';
  named: NamedEndpoint;
  caller: Caller;
  method: string;
  /** Path and query. */
  target: string;
  /** Without Authorization, which is the caller's. */
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
}

/** Path, query and body of a request; over tRPC they are one. */
export interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** What a face makes of a request's parts. */
export type Encoded = Pick<Sent, 'method' | 'target' | 'headers' | 'body'>;
