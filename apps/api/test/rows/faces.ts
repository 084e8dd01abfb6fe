import type { Problem, Row } from '@profile-service/contracts';
import { type Actor, createApi } from '../world/api.ts';
import type { Input } from './samples.ts';

/** What is wrong with a request before anybody looks at its content. */
export type Spoilt = 'broken JSON' | 'too large' | 'no JSON';

export interface Attempt {
  /** Which instance is asked. */
  url: string;
  actor: Actor;
  input: Input;
  spoilt?: Spoilt;
}

/** An answer with what both faces must agree on. */
export interface Result {
  status: number;
  data: unknown;
  problem: Omit<Problem, 'instance'> | undefined;
  wwwAuthenticate: string | null;
  retryAfter: string | null;
}

/** A way to call a row. */
export type Face = (attempt: Attempt, name: string, row: Row) => Promise<Result>;

const bodies: Record<Spoilt, [type: string, body: string]> = {
  'broken JSON': ['application/json', '{"name": '],
  'too large': ['application/json', JSON.stringify({ name: 'x'.repeat(1024 * 1024) })],
  'no JSON': ['text/plain', 'name=Central'],
};

/** Path, query and body made of the input as the row's declaration says; held against the published document. */
export const rest: Face = async ({ url, actor, input, spoilt }, _name, row) => {
  const left = new Map(Object.entries(input));
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(left.get(key));
    left.delete(key);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const key of Object.keys(row.query)) if (left.has(key)) query.set(key, String(left.get(key)));
  const [type, spoiltBody] = spoilt ? bodies[spoilt] : ['application/json'];
  const body = row.body ? (spoiltBody ?? Object.fromEntries(left)) : undefined;
  const target = `${row.method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const answer = await createApi(url, { mayFail: true }).call(actor, target, body, body === undefined ? {} : { 'content-type': type });
  return result(answer.status, answer.headers, answer.code ? undefined : answer.body, answer.code ? answer.body : undefined);
};

interface TrpcAnswer {
  result?: { data?: unknown };
  error?: { data: { problem: Problem; httpStatus: number } };
}

/** A single call, without a client's batching, so that its HTTP status shows. */
export const trpc: Face = async ({ url, actor, input, spoilt }, name, row) => {
  const [type, spoiltBody] = spoilt ? bodies[spoilt] : ['application/json'];
  const text = spoiltBody ?? JSON.stringify(input);
  const isQuery = row.method === 'GET';
  const response = await fetch(`${url}/trpc/${name}${isQuery ? `?input=${encodeURIComponent(text)}` : ''}`, {
    method: isQuery ? 'GET' : 'POST',
    headers: {
      ...(isQuery ? {} : { 'content-type': type }),
      ...(actor.token === undefined ? {} : { authorization: `Bearer ${actor.token}` }),
      ...(actor.tenant === undefined ? {} : { 'x-tenant-id': actor.tenant }),
    },
    ...(isQuery ? {} : { body: text }),
  });
  const { result: success, error } = (await response.json()) as TrpcAnswer;
  return result(response.status, response.headers, success?.data, error?.data.problem);
};

function result(status: number, headers: Headers, data: unknown, problem: unknown): Result {
  const { instance: _, ...document } = (problem ?? {}) as Problem;
  return {
    status,
    data,
    problem: problem ? document : undefined,
    wwwAuthenticate: headers.get('www-authenticate'),
    retryAfter: headers.get('retry-after'),
  };
}
