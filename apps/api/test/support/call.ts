import { send } from './http.ts';

/** A caller: a token and an X-Tenant-Id. */
export interface Actor {
  token?: string;
  tenant?: string;
}

export interface ApiResponse<Body> {
  status: number;
  /** Content-Type without parameters; undefined if there is none. */
  type: string | undefined;
  headers: Headers;
  /** Parsed JSON; undefined for other content. */
  body: Body;
  /** The raw body. */
  bytes: Buffer;
  /** The code of a problem. */
  code: string | undefined;
}

/** The headers that a request of this actor has. */
export const headersOf = ({ token, tenant }: Actor): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
});

/** A request as it is sent. */
export interface SentRequest {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | FormData | undefined;
}

/** Text, bytes and forms are sent unchanged, other bodies as JSON. */
export const requestOf = (actor: Actor, body?: unknown, headers: Record<string, string> = {}): SentRequest => ({
  headers: {
    ...headersOf(actor),
    ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    ...headers,
  },
  body: body === undefined || isWhole(body) ? body : JSON.stringify(body),
});

/** Sends a request. @param target method and path, such as `POST /api/users` */
export async function sendTo<Body>(url: string, target: string, request: SentRequest): Promise<ApiResponse<Body>> {
  const [method = '', path = ''] = target.split(' ');
  const response = await send(url + path, { method, ...request });
  const { status, type, bytes } = response;
  const body = (/json/.test(type ?? '') ? JSON.parse(bytes.toString()) : undefined) as Body;
  return {
    status,
    type,
    get headers() {
      return response.headers;
    },
    body,
    bytes,
    code: type === 'application/problem+json' ? (body as { code: string }).code : undefined,
  };
}

const isWhole = (body: unknown): body is string | Uint8Array<ArrayBuffer> | FormData =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
