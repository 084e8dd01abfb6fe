import type { z } from 'zod';
import { type Access, deniesSomePersona } from './access.ts';
import { acceptsIdempotencyKey, acceptsIfMatch } from './conditions.ts';
import type { ErrorCode } from './errors.ts';
import type { RequestHeader, ResponseHeaders } from './headers.ts';
import type { List } from './list.ts';
import type { EventType, VersionedType } from './records.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Content of requests and responses. `upload`: the request is multipart/form-data with the fields of the body and one file in the part `file`. `download`: the
 * response is a file. `export`: the response is a file of records; the output is the schema of one. Only REST serves endpoints with files. `stream`: the
 * response is an open stream of server-sent events, over tRPC a subscription. The output is the content of one of them.
 */
export type Media = 'json' | 'upload' | 'download' | 'export' | 'stream';

/**
 * The declaration of an endpoint. Both transports, the authorization, the OpenAPI document, the typed client and the tests that loop
 * over all endpoints read it.
 *
 * `Sent` is what a client may send (path, query and body in one flat object). `Input` is what the handler receives. `Returned` is what
 * the handler returns. `Output` is what the client receives.
 */
export interface Endpoint<
  M extends Method = Method,
  A extends Access = Access,
  Sent = unknown,
  Input = unknown,
  Returned = unknown,
  Output = unknown,
  F extends Media = Media,
  V extends VersionedType | null = VersionedType | null,
> {
  readonly method: M;
  /** Parameters are in braces: `/api/users/{id}`. */
  readonly path: string;
  readonly access: A;
  /** A short verb phrase, such as `Delete a user`. It is the title of the operation in the OpenAPI document. */
  readonly summary: string;
  /** What the summary does not say, in full sentences. */
  readonly description: string | null;
  /** The date, such as `2027-06-30`, on which a deprecated endpoint may be removed. Null if it is not deprecated. */
  readonly sunset: string | null;
  readonly params: Shape;
  readonly query: Shape;
  readonly body: z.ZodObject | null;
  /** Size limit of a JSON body, in bytes (LIMITS-3). */
  readonly maxBodyBytes: number;
  readonly output: z.ZodType | null;
  readonly success: 200 | 201 | 202 | 204;
  readonly media: F;
  /** Content types that the uploaded or downloaded file may have. */
  readonly fileTypes: readonly string[];
  /** Whether the fields of an upload must come before its file. */
  readonly fieldsFirst: boolean;
  /** Whether the endpoint calls the identity provider to find or create people. Such endpoints have a stricter rate limit. */
  readonly reachesIdentityProvider: boolean;
  /**
   * The events that a call may emit, in order of precedence. A call emits one of them, about its main record, if it has changed something. Empty for an
   * endpoint that changes no record: one that only reads, or one that sends requests to a webhook. If it changes a record nevertheless, its transaction fails.
   */
  readonly events: readonly EventType[];
  /**
   * The type of the record whose version the endpoint returns as ETag. A GET by id accepts If-None-Match, a PUT and a DELETE by id accept If-Match. Null if
   * the endpoint is not about one record with a version.
   */
  readonly versioned: V;
  /** The field of the output that is a secret. The response that is stored for an Idempotency-Key has it encrypted. Null if there is none. */
  readonly secretField: string | null;
  /** The list that the endpoint returns in pages. Null if it returns none. */
  readonly list: List | null;
  /** Request headers specific to this endpoint. `requestHeadersOf` adds those that follow from its access. */
  readonly requestHeaders: readonly RequestHeader[];
  /** Response headers specific to this endpoint, by status. `responseHeadersOf` adds those of every endpoint. */
  readonly responseHeaders: ResponseHeaders;
  /** Error codes specific to this endpoint. `errorsOf` adds those that follow from its access, its input and its media. */
  readonly errors: readonly ErrorCode[];
  /** Only for the compiler: undefined at run time. */
  readonly types?: { sent: Sent; input: Input; returned: Returned; output: Output };
}

const kibibyte = 1024;
const defaultMaxBodyBytes = 64 * kibibyte;
/** Size limit of bodies with metadata, in bytes: JSON escapes can take six times as many bytes as the 64 KiB that are stored. */
export const maxMetadataBodyBytes = 512 * kibibyte;
/** The largest size limit of a JSON body, in bytes. It is the limit of a tRPC batch too. */
export const largestMaxBodyBytes = 1024 * kibibyte;

/** A write declares its events, whatever its method. Only a GET without events needs no declaration. */
type Events<M extends Method> = M extends 'GET' ? { events?: readonly EventType[] } : { events: readonly EventType[] };

interface Declaration<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  O extends z.ZodType,
  F extends Media,
  V extends VersionedType | null,
> {
  summary: string;
  description?: string;
  sunset?: string;
  params?: P;
  query?: Q;
  body?: z.ZodObject<B>;
  /** Only for a body that may need more than 64 KiB. */
  maxBodyBytes?: number;
  output?: O;
  success: 200 | 201 | 202 | 204;
  media?: F;
  fileTypes?: readonly string[];
  fieldsFirst?: true;
  reachesIdentityProvider?: true;
  versioned?: V;
  secretField?: keyof z.output<O> & string;
  list?: List;
  requestHeaders?: readonly RequestHeader[];
  responseHeaders?: ResponseHeaders;
  errors?: readonly ErrorCode[];
}

type Flat<T> = { [K in keyof T]: T[K] } & {};
/** For an empty shape zod infers `Record<string, never>`, and its intersection with the other parts would have no fields. */
type SentOf<S extends Shape> = keyof S extends never ? unknown : z.input<z.ZodObject<S>>;
type InputOf<S extends Shape> = keyof S extends never ? unknown : z.output<z.ZodObject<S>>;

/** Declares an endpoint: `defineEndpoint('GET /api/users/{id}', access.user(…), { … })`. */
export function defineEndpoint<
  M extends Method,
  A extends Access,
  O extends z.ZodType = z.ZodVoid,
  P extends Shape = Record<never, never>,
  Q extends Shape = Record<never, never>,
  B extends Shape = Record<never, never>,
  F extends Media = 'json',
  V extends VersionedType | null = null,
>(
  address: `${M} /${string}`,
  access: A,
  declaration: Declaration<P, Q, B, O, F, V> & Events<M>,
): Endpoint<M, A, Flat<SentOf<P> & SentOf<Q> & SentOf<B>>, Flat<InputOf<P> & InputOf<Q> & InputOf<B>>, z.input<O>, z.output<O>, F, V> {
  const [method, path] = address.split(' ') as [M, string];
  const { summary, description = null, sunset = null, success, params = {}, query = {}, body = null } = declaration;
  const { maxBodyBytes = defaultMaxBodyBytes } = declaration;
  const { output = null, fileTypes = [], errors = [] } = declaration;
  const { fieldsFirst = false, requestHeaders = [], responseHeaders = {} } = declaration;
  const media = declaration.media ?? ('json' as F);
  const reachesIdentityProvider = declaration.reachesIdentityProvider ?? false;
  const events = declaration.events ?? [];
  const versioned = declaration.versioned ?? (null as V);
  const secretField = declaration.secretField ?? null;
  const list = declaration.list ?? null;
  return {
    method,
    path,
    access,
    summary,
    description,
    sunset,
    success,
    params,
    query,
    body,
    maxBodyBytes,
    output,
    media,
    fileTypes,
    fieldsFirst,
    reachesIdentityProvider,
    events,
    versioned,
    secretField,
    list,
    requestHeaders,
    responseHeaders,
    errors,
  };
}

/** Error codes of every endpoint. */
const commonErrors: readonly ErrorCode[] = [
  // Also without input: If-Match is rejected where a call is never conditional.
  'VALIDATION_FAILED',
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'IDENTITY_PROVIDER_UNAVAILABLE',
];

const errorsByAccess: Record<Access['kind'], readonly ErrorCode[]> = {
  user: ['USER_NOT_PROVISIONED', 'ACTIVE_TENANT_REQUIRED', 'TENANT_NOT_ALLOWED', 'PERSONA_NOT_ASSIGNED'],
  me: ['USER_NOT_PROVISIONED'],
  service: ['CLIENT_NOT_LINKED'],
};

const errorsByMedia: Record<Media, readonly ErrorCode[]> = {
  json: [],
  upload: ['FILE_REQUIRED'],
  download: ['RANGE_NOT_SATISFIABLE'],
  export: [],
  stream: ['TOO_MANY_STREAMS'],
};

/** Lists every error code of the endpoint: its own, and those that follow from its access, its input and its media. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...(endpoint.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      ...commonErrors,
      ...errorsByAccess[endpoint.access.kind],
      ...errorsByMedia[endpoint.media],
      ...(acceptsIdempotencyKey(endpoint) ? (['IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
      ...(acceptsIfMatch(endpoint) ? (['PRECONDITION_FAILED'] as const) : []),
      ...(endpoint.access.kind === 'user' && deniesSomePersona(endpoint.access) ? (['NOT_ALLOWED'] as const) : []),
      ...endpoint.errors,
    ]),
  ];
}
