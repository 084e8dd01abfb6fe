import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { expect } from 'vitest';
import { expectDeclared } from './document.ts';
import { recordExchange } from './exchanges.ts';
import { send } from './http.ts';

/** A caller: a token and an X-Tenant-Id. */
export interface Actor {
  token?: string;
  tenant?: string;
}

export interface ApiResponse<Body> {
  status: number;
  headers: Headers;
  /** Parsed JSON; undefined for other content. */
  body: Body;
  /** The raw body. */
  bytes: Buffer;
  /** The code of a problem. */
  code: string | undefined;
}

/** The code of a problem, otherwise the status. */
export const outcome = ({ status, code }: Pick<ApiResponse<unknown>, 'status' | 'code'>): string | number => code ?? status;

export interface Api {
  /**
   * Sends a REST request as this actor; `target` is method and path, such as `POST /api/users`. Sends text, bytes and forms unchanged, other bodies as JSON.
   * Validates the response against the OpenAPI document. An INTERNAL_ERROR (500) fails the test.
   */
  call<Body = Record<string, unknown>>(
    actor: Actor,
    target: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<Body>>;
  /** Returns the typed client of this actor. It repeats no call, so that tests see each response. */
  client(actor: Actor): ProfileClient;
}

/** Returns a client of a running service. @param mayFail whether the test expects INTERNAL_ERROR (500) */
export function createApi(url: string, { mayFail = false } = {}): Api {
  return {
    async call<Body>(actor: Actor, target: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse<Body>> {
      const [method = '', path = ''] = target.split(' ');
      const sent = {
        ...(actor.token === undefined ? {} : { authorization: `Bearer ${actor.token}` }),
        ...(actor.tenant === undefined ? {} : { 'x-tenant-id': actor.tenant }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const content = body === undefined || isWhole(body) ? body : JSON.stringify(body);
      const response = await send(url + path, { method, headers: sent, body: content });
      const { status, type, bytes } = response;
      recordExchange({ target, headers: sent, body: content, response: { status, body: bytes } });
      const isJson = /json/.test(type ?? '');
      const parsed = (isJson ? JSON.parse(bytes.toString()) : undefined) as Body;
      expectDeclared(method, path, { status, type, body: isJson ? parsed : bytes.toString('latin1') });
      const code = type === 'application/problem+json' ? (parsed as { code: string }).code : undefined;
      if (!mayFail) expect(code, `${target}: internal error`).not.toBe('INTERNAL_ERROR');
      return {
        status,
        get headers() {
          return response.headers;
        },
        body: parsed,
        bytes,
        code,
      };
    },
    client: ({ token = '', tenant }) => createProfileClient({ url, token: () => token, tenantId: () => tenant, maxAttempts: 1 }),
  };
}

const isWhole = (body: unknown): body is string | Uint8Array<ArrayBuffer> | FormData =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
