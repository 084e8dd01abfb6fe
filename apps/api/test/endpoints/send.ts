import type { Problem, Endpoint } from '@profile-service/contracts';
import { type Actor, createApi } from '../support/api.ts';
import { form, pdf } from '../support/files.ts';
import { maxFileBytes } from '../support/world.ts';
import type { Input } from './samples.ts';

/** What is wrong with a request before anybody looks at its content. */
export type Damage = 'broken' | 'too large' | 'another type';

export interface Attempt {
  /** Which instance is asked. */
  url: string;
  actor: Actor;
  input: Input;
  damage?: Damage;
  /** Of an upload: null for none, a small PDF unless told. */
  file?: File | null;
  /** Of a download: the header Range. */
  range?: string;
}

/** An answer with what both transports must agree on. */
export interface Result {
  status: number;
  data: unknown;
  problem: Omit<Problem, 'instance'> | undefined;
  wwwAuthenticate: string | null;
  retryAfter: string | null;
}

/** A way to call a row. */
export type Transport = (attempt: Attempt, name: string, endpoint: Endpoint) => Promise<Result>;

type Sent = [type: string | undefined, body: string | FormData | Input];

const spoiltBodies: Record<Damage, [type: string, body: string]> = {
  broken: ['application/json', '{"name": '],
  'too large': ['application/json', JSON.stringify({ name: 'x'.repeat(1024 * 1024) })],
  'another type': ['text/plain', 'name=Central'],
};
const spoiltForms: Record<Damage, () => Sent> = {
  broken: () => ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data'],
  'too large': () => [undefined, form(['file', pdf('large.pdf', maxFileBytes + 1)])],
  'another type': () => spoiltBodies['another type'],
};

/** What travels as the body of an upload. */
function formOf({ damage, file = pdf() }: Attempt, fields: ReadonlyMap<string, unknown>): Sent {
  if (damage) return spoiltForms[damage]();
  const parts = [...fields].map(([name, value]): [string, string] => [name, String(value)]);
  return [undefined, form(...parts, ...(file ? [['file', file] as [string, File]] : []))];
}

/** What travels as the body of any other row. */
const jsonOf = ({ damage }: Attempt, fields: ReadonlyMap<string, unknown>): Sent =>
  damage ? spoiltBodies[damage] : ['application/json', Object.fromEntries(fields)];

/** Path, query and body made of the input as the row's declaration says; held against the published document. */
export const rest: Transport = async (attempt, _name, endpoint) => {
  const { url, actor, input, range } = attempt;
  const left = new Map(Object.entries(input));
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(left.get(key));
    left.delete(key);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const key of Object.keys(endpoint.query)) if (left.has(key)) query.set(key, String(left.get(key)));
  const [type, body] = endpoint.body ? (endpoint.media === 'upload' ? formOf : jsonOf)(attempt, left) : [];
  const target = `${endpoint.method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const answer = await createApi(url, { mayFail: true }).call(actor, target, body, {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(range === undefined ? {} : { range }),
  });
  return result(answer.status, answer.headers, answer.code ? undefined : answer.body, answer.code ? answer.body : undefined);
};

interface TrpcAnswer {
  result?: { data?: unknown };
  error?: { data: { problem: Problem; httpStatus: number } };
}

/** A single call, without a client's batching, so that its HTTP status shows. */
export const trpc: Transport = async ({ url, actor, input, damage }, name, endpoint) => {
  const [type, spoiltBody] = damage ? spoiltBodies[damage] : ['application/json'];
  const text = spoiltBody ?? JSON.stringify(input);
  const isQuery = endpoint.method === 'GET';
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
