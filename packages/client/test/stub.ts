import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { createProfileClient, type ProfileClient, type ProfileClientOptions } from '../src/index.ts';

/** A response of the stub. */
export interface Reply {
  status: number;
  /** The code of a problem. */
  code?: string;
  headers?: Record<string, string>;
  /** More fields of the problem. */
  problem?: object;
  /** The body, instead of that of the service. */
  body?: string;
  /** The output of each call. */
  data?: object;
}
/** Closes the connection without a response. */
export const lost = 'lost';
/** Never responds. */
export const held = 'held';
export const succeeded: Reply = { status: 200 };
export const unavailable: Reply = { status: 503, code: 'SERVICE_UNAVAILABLE' };

/** A request. `inputs` are those of its calls. */
interface Received {
  method: string | undefined;
  path: string;
  body: string;
  headers: IncomingHttpHeaders;
  inputs: Record<string, unknown>[];
  time: number;
}

type Answer = Reply | typeof lost | typeof held;
type Replies = [Answer, ...Answer[]];

/** Starts a stub of the service that gives these replies in turn, and the last one again and again. The end of the test stops it. */
export async function startStub(...replies: Replies) {
  const stub = await serveStub(...replies);
  onTestFinished(stub.stop);
  return stub;
}

/** Starts a stub that the caller stops, for concurrent tests. */
export async function serveStub(...replies: Replies) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const respond = (body: string) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
      const isTrpc = pathname.startsWith('/trpc/');
      const isBatch = searchParams.has('batch');
      const input = isTrpc ? (JSON.parse(body || (searchParams.get('input') ?? '{}')) as Record<string, unknown>) : {};
      const calls = (isBatch ? input : isTrpc ? { 0: input } : {}) as Record<string, Record<string, unknown>>;
      const { method, headers } = request;
      received.push({ method, path: pathname, headers, body, inputs: Object.values(calls), time: Date.now() });
      const reply = replies[Math.min(received.length, replies.length) - 1]!;
      if (reply === lost) return request.socket.destroy();
      if (reply === held) return undefined;
      const problem = { code: reply.code, status: reply.status, detail: 'stub', ...reply.problem };
      const error = { message: 'stub', code: -32_600, data: { code: 'STUB', httpStatus: reply.status, problem } };
      const result = reply.status < 400 ? { result: { data: reply.data ?? { id: '1', etag: '"2"' } } } : { error };
      const rest = reply.status < 400 ? { id: '1' } : problem;
      const type = isTrpc || reply.status < 400 ? 'application/json' : 'application/problem+json';
      response.writeHead(reply.status, { 'content-type': type, etag: '"2"', ...reply.headers });
      return response.end(reply.body ?? JSON.stringify(isBatch ? Object.keys(calls).map(() => result) : isTrpc ? result : rest));
    };
    // An aborted request gets no response.
    text(request).then(respond, () => undefined);
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    received,
    client: (options: Partial<ProfileClientOptions> = {}) => createProfileClient({ url, token: () => 'token', ...options }),
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

export type Call = (client: ProfileClient, options?: { signal?: AbortSignal }) => Promise<unknown>;

export const query: Call = (client, options) => client.apps.get.query({ id: '1' }, options);
export const creation: Call = (client, options) => client.apps.create.mutate({ name: 'Silo' }, options);
export const upload: Call = (client, options) => client.attachments.upload(new Blob(['x']), {}, options);
export const download: Call = (client, options) => client.attachments.download('1', options);

/** A call of each kind. */
export const calls: [kind: string, Call][] = [
  ['a query', query],
  ['a creation', creation],
  ['an upload', upload],
  ['a download', download],
];
