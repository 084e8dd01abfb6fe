import type { Input } from '@profile-service/contracts/examples';
import type { Problem, Endpoint } from '@profile-service/contracts';
import { type Actor, createApi } from '../support/api.ts';
import { headersOf } from '../support/call.ts';
import { recordExchange } from '../support/exchanges.ts';
import { fileFor, form, organizationsFile, pdf } from '../support/files.ts';
import { send } from '../support/http.ts';
import { targetOf } from '../support/target.ts';
import { maxFileBytes } from '../support/world.ts';

/** A fault of the whole body. */
export type Damage = 'broken' | 'too large' | 'another type';

export interface Attempt {
  /** URL of the instance. */
  url: string;
  actor: Actor;
  input: Input;
  damage?: Damage;
  /** The file of an upload; null for none. Default: a small PDF. */
  file?: File | null;
  /** The header Range of a download. */
  range?: string;
  /** The header Idempotency-Key, over tRPC the field `idempotencyKey`. */
  idempotencyKey?: string;
  /** Ends what the attempt has started. */
  finish?: () => Promise<void>;
  /** The header If-Match, over tRPC the field `ifMatch`. */
  ifMatch?: string;
  /** The header X-Request-Id. */
  requestId?: string;
  /** The header If-None-Match. tRPC has none. */
  ifNoneMatch?: string;
}

/** The parts of a response that are equal over both transports. */
export interface Result {
  status: number;
  data: unknown;
  /** The header ETag, over tRPC the field `etag`. */
  etag: string | null;
  problem: Omit<Problem, 'instance'> | undefined;
  wwwAuthenticate: string | null;
  retryAfter: string | null;
}

/** Calls an endpoint over one transport. */
export type Transport = (attempt: Attempt, name: string, endpoint: Endpoint) => Promise<Result>;

type Sent = [type: string | undefined, body: string | FormData | Input];

const damagedBodies: Record<Damage, [type: string, body: string]> = {
  broken: ['application/json', '{"name": '],
  'too large': ['application/json', JSON.stringify({ name: 'x'.repeat(1024 * 1024) })],
  'another type': ['text/plain', 'name=Central'],
};
const damagedForms: Record<Damage, (path: string) => Sent> = {
  broken: () => ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data'],
  'too large': (path) => {
    const isImport = path === '/api/imports';
    const file = isImport ? organizationsFile(maxFileBytes) : pdf('large.pdf', maxFileBytes + 1);
    return [undefined, form(...(isImport ? [['type', 'organizations'] as [string, string]] : []), ['file', file])];
  },
  'another type': () => damagedBodies['another type'],
};

/** The body of an upload. */
function formOf({ damage, file }: Attempt, fields: Input, { path }: Endpoint): Sent {
  const sent = file === undefined ? fileFor(path) : file;
  if (damage) return damagedForms[damage](path);
  const parts = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  ]);
  return [undefined, form(...parts, ...(sent ? [['file', sent] as [string, File]] : []))];
}

/** The body of every other endpoint. */
const jsonOf = ({ damage }: Attempt, fields: Input): Sent => (damage ? damagedBodies[damage] : ['application/json', fields]);

/** Calls the endpoint over REST and checks the response against the published document. */
export const rest: Transport = async (attempt, _name, endpoint) => {
  const { url, actor, input, range, ifMatch, ifNoneMatch, idempotencyKey, requestId } = attempt;
  const { target, fields } = targetOf(endpoint.path, Object.keys(endpoint.query), input);
  const [type, body] = endpoint.body ? (endpoint.media === 'upload' ? formOf : jsonOf)(attempt, fields, endpoint) : [];
  const answer = await createApi(url, { mayFail: true }).call(actor, `${endpoint.method} ${target}`, body, {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(range === undefined ? {} : { range }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
  });
  const [data, problem] = answer.code ? [undefined, answer.body] : [answer.body, undefined];
  return result(answer, data, answer.headers.get('etag'), problem);
};

interface TrpcAnswer {
  result?: { data?: { etag?: string } };
  error?: { data: { problem: Problem; httpStatus: number } };
}

/** The error with which a subscription begins. */
const subscriptionAnswer = (text: string): TrpcAnswer => {
  const error = /^event: serialized-error\ndata: (.*)$/m.exec(text)?.[1];
  return error === undefined ? {} : { error: JSON.parse(error) as NonNullable<TrpcAnswer['error']> };
};

/** Calls the endpoint over tRPC, not as a batch, so that the HTTP status is that of the call. */
export const trpc: Transport = async ({ url, actor, input, damage, ifMatch, idempotencyKey, requestId }, name, endpoint) => {
  const [type, damagedBody] = damage ? damagedBodies[damage] : ['application/json'];
  const text = damagedBody ?? JSON.stringify({ ...input, ifMatch, idempotencyKey });
  const isQuery = endpoint.method === 'GET';
  const path = `/trpc/${name}${isQuery ? `?input=${encodeURIComponent(text)}` : ''}`;
  const headers = {
    ...(isQuery ? {} : { 'content-type': type }),
    ...headersOf(actor),
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
  };
  const method = isQuery ? 'GET' : 'POST';
  const body = isQuery ? undefined : text;
  const response = await send(url + path, { method, headers, body });
  recordExchange({ target: `${method} ${path}`, headers, body, response: { status: response.status, body: response.bytes } });
  const { result: success, error } =
    response.type === 'text/event-stream'
      ? subscriptionAnswer(response.bytes.toString())
      : (JSON.parse(response.bytes.toString()) as TrpcAnswer);
  const { etag = null, ...data } = success?.data ?? {};
  const status = error?.data.httpStatus ?? response.status;
  return result({ ...response, status, headers: response.headers }, success?.data && data, etag, error?.data.problem);
};

function result({ status, headers }: { status: number; headers: Headers }, data: unknown, etag: string | null, problem: unknown): Result {
  const { instance: _, ...document } = (problem ?? {}) as Problem;
  return {
    status,
    data,
    etag,
    problem: problem ? document : undefined,
    wwwAuthenticate: headers.get('www-authenticate'),
    retryAfter: headers.get('retry-after'),
  };
}
