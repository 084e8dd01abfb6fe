import type { NamedEndpoint } from '@profile-service/contracts';
import type { Caller } from '../world/callers.ts';

/** A request as it is sent. */
export interface Sent {
  transport: 'REST' | 'tRPC';
  named: NamedEndpoint;
  caller: Caller;
  method: string;
  /** Path and query. */
  target: string;
  /** Without Authorization, which comes from the caller. */
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
}

/** Path, query and body of a request. Over tRPC they are one input. */
export interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** A request as a transport encodes it. */
export type Encoded = Pick<Sent, 'method' | 'target' | 'headers' | 'body'>;
