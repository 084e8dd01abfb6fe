import { type Endpoint, isWrite } from '@profile-service/contracts';
import type { EncodeRow } from '@profile-service/db';
import type { AnyHandler } from './handler.ts';
import { compileInput, type Input, type RawInput } from './input.ts';
import { rowEncoderOf } from './list-output.ts';
import { createRespond, type Respond } from './response.ts';

/** An endpoint with its handler and what is derived from its schemas, once at the start. */
export interface CompiledEndpoint<H extends AnyHandler = AnyHandler> {
  endpoint: Endpoint;
  handler: H;
  /** Validates path, query and body. */
  parse: (rawInput: RawInput) => Input;
  /** Converts a row of a list to JSON. */
  encodeRow: EncodeRow;
  /** Makes the response of what the handler returned. */
  respond: Respond;
}

/** Derives what requests of an endpoint need. Throws if the handler does not fit the endpoint. */
export function compileEndpoint(endpoint: Endpoint, handler: AnyHandler): CompiledEndpoint {
  if (['read', 'export', 'feed'].includes(handler.kind) === isWrite(endpoint))
    throw new Error(`${endpoint.method} ${endpoint.path} has a handler of the wrong kind: ${handler.kind}`);
  return { endpoint, handler, parse: compileInput(endpoint), encodeRow: rowEncoderOf(endpoint), respond: createRespond(endpoint) };
}
