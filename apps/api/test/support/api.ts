import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { expect } from 'vitest';
import { type Actor, type ApiResponse, requestOf, sendTo } from './call.ts';
import { endpointAt, undeclared } from './declared.ts';
import { recordExchange } from './exchanges.ts';

export type { Actor, ApiResponse } from './call.ts';

/** The code of a problem, otherwise the status. */
export const outcome = ({ status, code }: Pick<ApiResponse<unknown>, 'status' | 'code'>): string | number => code ?? status;

export type Api = ReturnType<typeof createApi>;

/** Returns a client of a running service. @param mayFail whether the test expects INTERNAL_ERROR (500) */
export function createApi(url: string, { mayFail = false } = {}) {
  /**
   * Sends a REST request as this actor; `target` is method and path, such as `POST /api/users`. Sends text, bytes and forms unchanged, other bodies as JSON.
   * Validates the response against the OpenAPI document. An INTERNAL_ERROR (500) fails the test. A failing test shows its last request and the response.
   */
  async function call<Body = Record<string, unknown>>(
    actor: Actor,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<Body>> {
    const [method = '', path = ''] = target.split(' ');
    const request = requestOf(actor, body, headers);
    const response = await sendTo<Body>(url, target, request);
    const { status, type, bytes, code } = response;
    recordExchange({ target, ...request, response: { status, body: bytes } });
    const endpoint = endpointAt(method, path);
    const received = { status, type, body: response.body ?? bytes.toString('latin1') };
    if (endpoint) expect(undeclared(endpoint, received)).toBeUndefined();
    if (!mayFail) expect(code, `${target}: internal error`).not.toBe('INTERNAL_ERROR');
    return response;
  }

  /** Returns the typed client of this actor. It repeats no call, so that tests see each response. */
  const client = ({ token = '', tenant }: Actor): ProfileClient =>
    createProfileClient({ url, token: () => token, tenantId: () => tenant, maxAttempts: 1 });

  return { call, client };
}
