import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Input } from './endpoints/driver.ts';
import type { DrivenEndpoint } from './endpoints/index.ts';
import type { Caller } from './world/callers.ts';
import { targetOf } from '../test/support/target.ts';
import { sendRequest } from '../test/support/http.ts';

/** A call of an endpoint by a caller. */
export interface Call {
  endpoint: DrivenEndpoint;
  caller: Caller;
  /** X-Tenant-Id */
  header: string | undefined;
  input: Input;
}

export type Transport = 'rest' | 'trpc';

/** The response without timestamps and request ids, which cannot be predicted. */
export interface Answer {
  status: number;
  /** The problem document of a refusal. */
  problem: { code: string } | null;
  /** The body of a success. A file is text. Of a stream, the events that came first, in `events`. */
  body: unknown;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 6 });
const boundary = 'isolation-boundary';

/** Makes the call over REST. */
export async function rest(port: number, { endpoint, caller, header, input }: Call): Promise<Answer> {
  const { target, fields } = targetOf(endpoint.path, endpoint.query, input);
  const [type, body] =
    endpoint.file === 'upload' ? [`multipart/form-data; boundary=${boundary}`, form(fields)] : ['application/json', JSON.stringify(fields)];
  const sent = endpoint.takesBody ? { type, body } : undefined;
  const { status, headers, text } = await send(port, endpoint.method, target, caller, header, sent);
  if (headers['content-type'] === 'application/problem+json')
    return { status, problem: parse(text) as { code: string }, body: undefined, text };
  return { status, problem: null, body: contentOf(endpoint, headers['content-type'], text), text };
}

/** The content of a success. A file of records is like a page that has all; CSV is text. */
function contentOf({ file }: DrivenEndpoint, type: string | undefined, text: string): unknown {
  if (file === 'download') return text;
  if (type?.startsWith('text/csv')) return { csv: text };
  if (file === 'export') return { data: text.split('\n').slice(0, -1).map(parse), nextCursor: null };
  return text === '' ? undefined : parse(text);
}

interface TrpcAnswer {
  result?: { data?: unknown };
  error?: { data: { httpStatus: number; problem: { code: string } } };
}

/** Calls tRPC: one write, or several reads of one caller as one batch. */
export async function trpc(port: number, calls: readonly Call[]): Promise<Answer[]> {
  const [{ caller, header, endpoint }] = calls as [Call];
  const inputs = JSON.stringify(Object.fromEntries(calls.map(({ input }, index) => [index, input])));
  const target = `/trpc/${calls.map((call) => call.endpoint.name).join(',')}?batch=1`;
  const { text } =
    endpoint.method === 'GET'
      ? await send(port, 'GET', `${target}&input=${encodeURIComponent(inputs)}`, caller, header)
      : await send(port, 'POST', target, caller, header, { type: 'application/json', body: inputs });
  const answers = parse(text) as TrpcAnswer[];
  return answers.map(({ result, error }) => ({
    status: error?.data.httpStatus ?? 200,
    problem: error?.data.problem ?? null,
    body: result?.data,
    text: JSON.stringify(error?.data.problem ?? result?.data ?? null),
  }));
}

/** Closes the client's connections. */
export function closeConnections(): void {
  agent.destroy();
}

function send(
  port: number,
  method: string,
  path: string,
  caller: Caller,
  header: string | undefined,
  body?: { type: string; body: string },
) {
  const headers = {
    ...headersOf(caller, header),
    ...(body && { 'content-type': body.type, 'content-length': Buffer.byteLength(body.body) }),
  };
  return sendRequest({ agent, host: '127.0.0.1', port, method, path, headers }, body?.body);
}

const headersOf = (caller: Caller, header: string | undefined) => ({
  ...(caller.bearer === undefined ? {} : { authorization: `Bearer ${caller.bearer}` }),
  ...(header === undefined ? {} : { 'x-tenant-id': header }),
});

/** Opens a stream, and reads until it has sent this many events, for 10 seconds at most. Reads a refusal to its end. */
export async function stream(
  port: number,
  { endpoint, caller, header, input }: Call,
  transport: Transport,
  count: number,
): Promise<Answer> {
  const trpcTarget = `/trpc/${endpoint.name}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const path = transport === 'trpc' ? trpcTarget : targetOf(endpoint.path, endpoint.query, input).target;
  const signal = AbortSignal.timeout(10_000);
  const sent = request({ agent, host: '127.0.0.1', port, path, headers: headersOf(caller, header), signal }).end();
  // The response has the error too.
  sent.on('error', () => undefined);
  let text = '';
  let status = 0;
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    status = response.statusCode ?? 0;
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      if (status === 200 && eventsOf(text).length >= count) break;
    }
  } catch (error) {
    // Too few events within the time: the response then differs from the prediction.
    if (!signal.aborted) throw error;
  }
  const failure = /^event: serialized-error\ndata: (.*)\n\n/m.exec(text)?.[1];
  const trpcProblem = failure === undefined ? null : (parse(failure) as Required<TrpcAnswer>['error']).data.problem;
  const problem = status === 200 ? trpcProblem : (parse(text) as { code: string });
  return { status, problem, body: { events: eventsOf(text) }, text };
}

/** The events of a stream, over either transport: the messages with an id and data. */
const eventsOf = (text: string): unknown[] =>
  [...text.matchAll(/^id: .*\n(?:event: .*\n)?data: (.+)\n\n/gm)].map(([, data = '']) => parse(data));

const unpredictable = new Set(['createdAt', 'updatedAt', 'validFrom', 'instance', 'etag']);

/** Times of which only whether they are set can be predicted. */
const times: Record<string, string> = { validTo: 'closed', startedAt: 'set', finishedAt: 'set' };

/** Parses JSON without its unpredictable fields. */
export const parse = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) => {
    if (unpredictable.has(key)) return undefined;
    return value !== null && key in times ? times[key] : value;
  });

function form({ file, filename, ...others }: Input): string {
  const part = (head: string, content: unknown) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${String(content)}\r\n`;
  const named = Object.entries(others).map(([name, value]) => part(`name="${name}"`, value));
  const last = file === undefined ? '' : part(`name="file"; filename="${String(filename)}"\r\ncontent-type: application/pdf`, file);
  return `${named.join('')}${last}--${boundary}--\r\n`;
}
