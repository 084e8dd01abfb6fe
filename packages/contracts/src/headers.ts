import type { Access } from './access.ts';
import { acceptsIdempotencyKey, acceptsIfMatch, acceptsIfNoneMatch, type Declared, returnsVersion } from './conditions.ts';

export interface Header {
  description: string;
  type: 'string' | 'integer';
  /** Regular expression of the values that are accepted. */
  pattern?: string;
}

const text = (description: string, pattern?: string): Header => ({ description, type: 'string', ...(pattern && { pattern }) });

/** RFC 9110, 8.8.3, without characters outside ASCII. */
const entityTag = '(W/)?"[!#-~]*"';

/** The request headers that endpoints read, besides those of every HTTP request. */
export const requestHeaders = {
  // A value that is not a UUID is an unknown tenant (403), not invalid input (400).
  'X-Tenant-Id': text('Id of the active tenant. Users with exactly one tenant and Global users may omit it or leave it empty.'),
  Range: text('A single byte range, such as `bytes=0-1023`. The service ignores a header with several ranges.'),
  'If-Range': text('An ETag. The service ignores `Range` unless the file has this ETag.'),
  'Last-Event-ID': text(
    'The `id` of the last event that the client got. The stream continues after it, whatever `cursor` and `startDate` say.',
  ),
  'If-None-Match': text('ETags that the client has. If one of them is current, the response is 304 without content.'),
  'Idempotency-Key': text(
    'A new random value for each change that you want, such as a UUID: 1 to 255 visible ASCII characters. A request that repeats it within 24 hours gets the response of the first one.',
    '^[!-~]{1,255}$',
  ),
  'If-Match': text(
    'ETag that the client has read. If the record has another one by now, nothing is changed and the response is 412.',
    `^([*]|${entityTag}(, ${entityTag})*)$`,
  ),
} as const satisfies Record<string, Header>;
export type RequestHeader = keyof typeof requestHeaders;

/** The response headers that endpoints set, besides those of every HTTP response. */
export const responseHeaders = {
  'X-Request-Id': text('Id of the request: the one that the client sent in this header, or a new one.'),
  'WWW-Authenticate': text('In 401 responses: the challenge of RFC 6750.'),
  'RateLimit-Policy': text('The rate limit that applies: requests (q) per seconds (w), such as `"caller";q=500;w=1`.'),
  RateLimit: text('Requests that remain (r) and seconds until the limit resets (t), such as `"caller";r=499;t=1`.'),
  'Retry-After': { description: 'Seconds to wait before the next attempt.', type: 'integer' },
  'Accept-Ranges': text('Always `bytes`.'),
  'Content-Disposition': text('`attachment`, with the name of the file (RFC 6266, RFC 8187).'),
  'Content-Range': text('The returned range and the size of the file: `bytes 0-1023/4096`. With 416 only the size: `bytes */4096`.'),
  'Idempotency-Replayed': text('`true` if the response is that of an earlier request with the same Idempotency-Key. Absent otherwise.'),
  ETag: text('Version of the record. Every change of the record changes it.'),
} as const satisfies Record<string, Header>;
export type ResponseHeader = keyof typeof responseHeaders;

/** Response headers by status. */
export type ResponseHeaders = Readonly<Partial<Record<number, readonly ResponseHeader[]>>>;

/** The part of an endpoint's declaration that decides about headers. */
interface DeclaredHeaders extends Declared {
  readonly access: Access;
  readonly success: number;
  readonly requestHeaders: readonly RequestHeader[];
  readonly responseHeaders: ResponseHeaders;
}

/** The request headers that the endpoint reads. */
export const requestHeadersOf = (endpoint: DeclaredHeaders): RequestHeader[] => [
  ...endpoint.requestHeaders,
  ...(acceptsIfNoneMatch(endpoint) ? (['If-None-Match'] as const) : []),
  ...(acceptsIfMatch(endpoint) ? (['If-Match'] as const) : []),
  ...(acceptsIdempotencyKey(endpoint) ? (['Idempotency-Key'] as const) : []),
  ...(endpoint.access.kind === 'service' ? [] : (['X-Tenant-Id'] as const)),
];

/** The statuses of the endpoint's responses without a problem. */
export const successStatusesOf = (endpoint: DeclaredHeaders): number[] => [
  endpoint.success,
  ...Object.keys(endpoint.responseHeaders)
    .map(Number)
    .filter((status) => status < 400 && status !== endpoint.success),
  ...(acceptsIfNoneMatch(endpoint) ? [304] : []),
];

/** The headers of the endpoint's responses with this status. */
export function responseHeadersOf(endpoint: DeclaredHeaders, status: number): ResponseHeader[] {
  return [
    'X-Request-Id',
    ...(status < 400 || status === 429 ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === endpoint.success && acceptsIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : []),
    ...(status === 429 || status === 503 || (status === 409 && acceptsIdempotencyKey(endpoint)) ? (['Retry-After'] as const) : []),
    ...(status < 400 && returnsVersion(endpoint) ? (['ETag'] as const) : []),
    ...(endpoint.responseHeaders[status] ?? []),
  ];
}
