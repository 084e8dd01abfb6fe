import { acceptsIfNoneMatch, type Endpoint, returnsVersion } from '@profile-service/contracts';
import { EncodedRows } from '@profile-service/db';
import { encodedList } from './encoded-json.ts';
import { entityTagOf, includesTag, parseEntityTags } from './entity-tags.ts';
import { createProjection } from './projection.ts';

/** The response of an operation, which its transport sends. */
export interface OperationResult {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The output, an `EncodedJson` if it is large; undefined if the endpoint declares no output or has sent a file. */
  body: unknown;
}

/** Makes the response of what a handler returned. @param ifNoneMatch the header as received; ignored if malformed */
export type Respond = (returned: unknown, ifNoneMatch?: string) => OperationResult;

/**
 * Creates the function that makes the responses of an endpoint: the declared output, without undeclared fields, and the ETag of a record's version. A client
 * that has this version gets 304 without a body.
 */
export function createRespond(endpoint: Endpoint): Respond {
  const { success: status, output } = endpoint;
  const encode = output ? encoderOf(createProjection(output)) : () => undefined;
  if (!returnsVersion(endpoint)) return (returned) => ({ status, headers: {}, body: encode(returned) });
  const mayBeUnmodified = acceptsIfNoneMatch(endpoint);
  return (returned, ifNoneMatch) => {
    const etag = entityTagOf((returned as { version: number }).version);
    const known = mayBeUnmodified && ifNoneMatch !== undefined ? parseEntityTags(ifNoneMatch) : undefined;
    if (known && includesTag(known, etag)) return { status: 304, headers: { etag }, body: undefined };
    return { status, headers: { etag }, body: encode(returned) };
  };
}

/** A list that the handler has encoded becomes an `EncodedJson`. */
const encoderOf = (project: (value: unknown) => unknown) => (returned: unknown) => {
  const { data } = returned as { data?: unknown };
  return data instanceof EncodedRows ? encodedList({ ...(returned as object), data }) : project(returned);
};
