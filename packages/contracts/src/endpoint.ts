import type { z } from 'zod';
import { type Access, refusesSome } from './access.ts';
import type { ErrorCode } from './errors.ts';
import type { RequestHeader, ResponseHeaders } from './headers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * What a row takes and gives beside JSON. `upload`: multipart/form-data with the body's fields and one file in the part `file`;
 * `download`: it gives a file. Such rows are served over REST alone.
 */
export type Media = 'json' | 'upload' | 'download';

/**
 * A contract row: an endpoint as data. The REST face, the tRPC face, the guard, the OpenAPI document, the typed client
 * and the tests over all rows read it. `Sent` is what a client may send (path, query and body in one flat object),
 * `Input` what the handler gets, `Returned` what the handler gives, `Output` what the client receives.
 */
export interface Endpoint<
  M extends Method = Method,
  A extends Access = Access,
  Sent = unknown,
  Input = unknown,
  Returned = unknown,
  Output = unknown,
  F extends Media = Media,
> {
  readonly method: M;
  /** With parameters in braces: `/api/users/{id}`. */
  readonly path: string;
  readonly access: A;
  readonly summary: string;
  readonly params: Shape;
  readonly query: Shape;
  readonly body: z.ZodObject | null;
  readonly output: z.ZodType | null;
  readonly success: 200 | 201 | 204;
  readonly media: F;
  /** Content types of the file that the row takes or gives. */
  readonly fileTypes: readonly string[];
  /** Whether the row looks people up or creates them at the identity provider: such rows have a stricter rate limit. */
  readonly reachesIdentityProvider: boolean;
  /** The request headers that this endpoint alone reads; `requestHeadersOf` adds those of its access. */
  readonly requestHeaders: readonly RequestHeader[];
  /** The response headers that this endpoint alone sets; `responseHeadersOf` adds those of every endpoint. */
  readonly responseHeaders: ResponseHeaders;
  /** The codes of this row alone; `errorsOf` adds those that its access, its input and its media bring. */
  readonly errors: readonly ErrorCode[];
  /** Exists for the compiler only. */
  readonly types?: { sent: Sent; input: Input; returned: Returned; output: Output };
}

interface Declaration<P extends Shape, Q extends Shape, B extends Shape, O extends z.ZodType, F extends Media> {
  summary: string;
  params?: P;
  query?: Q;
  body?: z.ZodObject<B>;
  output?: O;
  success: 200 | 201 | 204;
  media?: F;
  fileTypes?: readonly string[];
  reachesIdentityProvider?: true;
  requestHeaders?: readonly RequestHeader[];
  responseHeaders?: ResponseHeaders;
  errors?: readonly ErrorCode[];
}

type Flat<T> = { [K in keyof T]: T[K] } & {};
/** Of an empty shape zod infers a record of nothing, which would swallow the other parts. */
type SentOf<S extends Shape> = keyof S extends never ? unknown : z.input<z.ZodObject<S>>;
type InputOf<S extends Shape> = keyof S extends never ? unknown : z.output<z.ZodObject<S>>;

/** Declares a row: `route('GET /api/users/{id}', access.user(…), { … })`. */
export function defineEndpoint<
  M extends Method,
  A extends Access,
  O extends z.ZodType = z.ZodVoid,
  P extends Shape = Record<never, never>,
  Q extends Shape = Record<never, never>,
  B extends Shape = Record<never, never>,
  F extends Media = 'json',
>(
  address: `${M} /${string}`,
  access: A,
  declaration: Declaration<P, Q, B, O, F>,
): Endpoint<M, A, Flat<SentOf<P> & SentOf<Q> & SentOf<B>>, Flat<InputOf<P> & InputOf<Q> & InputOf<B>>, z.input<O>, z.output<O>, F> {
  const [method, path] = address.split(' ') as [M, string];
  const { summary, success, params = {}, query = {}, body = null, output = null, fileTypes = [], errors = [] } = declaration;
  const { requestHeaders = [], responseHeaders = {} } = declaration;
  const media = declaration.media ?? ('json' as F);
  const reachesIdentityProvider = declaration.reachesIdentityProvider ?? false;
  return {
    method,
    path,
    access,
    summary,
    success,
    params,
    query,
    body,
    output,
    media,
    fileTypes,
    reachesIdentityProvider,
    requestHeaders,
    responseHeaders,
    errors,
  };
}

const always: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'IDENTITY_PROVIDER_UNAVAILABLE',
];
const ofAccess: Record<Access['kind'], readonly ErrorCode[]> = {
  user: ['USER_NOT_PROVISIONED', 'ACTIVE_TENANT_REQUIRED', 'TENANT_NOT_ALLOWED', 'PERSONA_NOT_ASSIGNED'],
  me: ['USER_NOT_PROVISIONED'],
  service: ['CLIENT_NOT_LINKED'],
};

const ofMedia: Record<Media, readonly ErrorCode[]> = {
  json: [],
  upload: ['FILE_REQUIRED'],
  download: ['RANGE_NOT_SATISFIABLE'],
};

/** Every code that the row can answer: its own, and those that its access, its input and its media bring. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const hasInput = endpoint.body !== null || Object.keys({ ...endpoint.params, ...endpoint.query }).length > 0;
  return [
    ...new Set<ErrorCode>([
      ...(hasInput ? (['VALIDATION_FAILED'] as const) : []),
      ...(endpoint.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      ...always,
      ...ofAccess[endpoint.access.kind],
      ...ofMedia[endpoint.media],
      ...(endpoint.access.kind === 'user' && refusesSome(endpoint.access) ? (['NOT_ALLOWED'] as const) : []),
      ...endpoint.errors,
    ]),
  ];
}
