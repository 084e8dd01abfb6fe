import { setTimeout as pause } from 'node:timers/promises';
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

type RawBody = string | Uint8Array<ArrayBuffer> | FormData;

/** A request as it is sent. */
interface SentRequest {
  headers: Record<string, string>;
  body: RawBody | undefined;
}

/** The headers that a request of this actor has. */
export const headersOf = ({ token, tenant }: Actor): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
});

const isRaw = (body: unknown): body is RawBody => typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;

/** Text, bytes and forms are sent unchanged, other bodies as JSON. */
export const requestOf = (actor: Actor, body?: unknown, headers: Record<string, string> = {}): SentRequest => ({
  headers: {
    ...headersOf(actor),
    ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    ...headers,
  },
  body: body === undefined || isRaw(body) ? body : JSON.stringify(body),
});

/** Sends a request. @param target method and path, such as `POST /api/users` */
export async function sendTo<Body>(url: string, target: string, request: SentRequest): Promise<ApiResponse<Body>> {
  const [method = '', path = ''] = target.split(' ');
  const response = await send(url + path, { method, ...request });
  const { status, type, bytes } = response;
  const body = (/^application\/(problem\+)?json$/.test(type ?? '') ? JSON.parse(bytes.toString()) : undefined) as Body;
  const code = type === 'application/problem+json' ? (body as { code: string }).code : undefined;
  return {
    status,
    type,
    get headers() {
      return response.headers;
    },
    body,
    bytes,
    code,
  };
}

/** Sends a request up to four times while the response is 503. On a busy machine the service may reach its time limits. */
export async function untilAvailable<Response extends { status: number }>(attempt: () => Promise<Response>): Promise<Response> {
  for (let count = 1; ; count += 1) {
    const response = await attempt();
    if (response.status !== 503 || count === 4) return response;
    await pause(count * 500);
  }
}
