import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A response in place of that of the server. */
export interface Substitute {
  status: number;
  type: string;
  body: string;
}

export interface HttpProxy {
  url: string;
  /** Answers requests itself. @param path requests whose path ends with it; default: all */
  substitute(response: Substitute, path?: string): void;
  /** Accepts requests and sends no response. */
  hang(): void;
  /** Delays each request by this time in milliseconds. */
  delay(milliseconds: number): void;
  /** Rejects connections. */
  refuse(): Promise<void>;
  /** Forwards again. */
  forward(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts an HTTP proxy in front of a server.
 * @param target URL of the server  @param keepHost whether to send the client's `Host`, which the signatures of S3 contain
 */
export async function startHttpProxy(target: string, { keepHost = false } = {}): Promise<HttpProxy> {
  const agent = new Agent({ keepAlive: true });
  type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  const forward: Answer = (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const forwarded = request(
      target + url,
      { method, agent, headers: keepHost ? headers : { ...headers, host: new URL(target).host } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        // A response that is cut must be cut for the client too.
        pipeline(response, outgoing, () => undefined);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => void (outgoing.writableFinished || forwarded.destroy()));
    incoming.pipe(forwarded);
  };
  let answer = forward;
  const server = createServer((incoming, outgoing) => answer(incoming, outgoing));
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    substitute({ status, type, body }, path = '') {
      answer = (incoming, outgoing) => {
        if (!new URL(incoming.url ?? '/', target).pathname.endsWith(path)) return forward(incoming, outgoing);
        incoming.resume();
        outgoing.writeHead(status, { 'content-type': type }).end(body);
      };
    },
    hang: () => (answer = (incoming) => void incoming.resume()),
    delay: (milliseconds) => (answer = (incoming, outgoing) => void setTimeout(() => forward(incoming, outgoing), milliseconds)),
    async refuse() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
    async forward() {
      answer = forward;
      if (server.listening) server.closeAllConnections();
      else await listen(port);
    },
    async stop() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
      agent.destroy();
    },
  };
}
