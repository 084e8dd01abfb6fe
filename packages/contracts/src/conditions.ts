/** The part of an endpoint's declaration that decides about conditions. `endpoint.ts` imports this file, so this file cannot import `Endpoint`. */
export interface Declared {
  readonly method: string;
  readonly versioned: string | null;
  readonly events: readonly string[];
  readonly media?: string;
}

/** Whether the response has the version of a record as ETag. */
export const returnsVersion = ({ method, versioned }: Declared): boolean => versioned !== null && method !== 'DELETE';

/** Whether a call may change something, whether or not it is a record that has events. */
export const isWrite = ({ method, events }: Pick<Declared, 'method' | 'events'>): boolean => method !== 'GET' || events.length > 0;

/** Whether the endpoint answers HEAD as GET, without the body. A GET that writes does not, nor does a stream. */
const acceptsHead = (endpoint: Declared): boolean => !isWrite(endpoint) && endpoint.media !== 'stream';

/** Whether the endpoint returns 304 if the client has the current version. A GET that writes does not. */
export const acceptsIfNoneMatch = (endpoint: Declared): boolean => endpoint.versioned !== null && acceptsHead(endpoint);

/** The HTTP methods that reach the endpoint. */
export const httpMethodsOf = <M extends string>(endpoint: Declared & { readonly method: M }): (M | 'HEAD')[] =>
  acceptsHead(endpoint) ? [endpoint.method, 'HEAD'] : [endpoint.method];

/** Whether the endpoint accepts an Idempotency-Key, which makes it safe to repeat. */
export const acceptsIdempotencyKey = ({ method }: Pick<Declared, 'method'>): boolean => method === 'POST';

/** Whether the endpoint changes or deletes a record only if the client has read its current version. */
export const acceptsIfMatch = ({ method, versioned }: Declared): boolean => versioned !== null && (method === 'PUT' || method === 'DELETE');
