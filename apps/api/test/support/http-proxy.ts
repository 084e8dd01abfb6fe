import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A response in place of that of the server. */
interface Substitute {
  status: number;
  type: string;
  body: string;
}

interface HttpProxyOptions {
  /** Whether to send the client's `Host`, which the signatures of S3 contain. */
  keepHost?: boolean;
  /** A file with a certificate for localhost and its key, for a proxy with HTTPS. */
  pemFile?: string;
}

/** Starts an HTTP proxy in front of a server. @param target URL of the server */
export async function startHttpProxy(target: string, { keepHost = false, pemFile }: HttpProxyOptions = {}) {
  const request = target.startsWith('https:') ? requestHttps : requestHttp;
  type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  const forward: Answer = (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const sent = keepHost ? headers : { ...headers, host: new URL(target).host };
    const forwarded = request(target + url, { method, headers: sent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      // A response that is cut must be cut for the client too.
      pipeline(response, outgoing, () => undefined);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => void (outgoing.writableFinished || forwarded.destroy()));
    incoming.pipe(forwarded);
  };
  let answer = forward;
  const pem = pemFile && readFileSync(pemFile);
  const listener: Answer = (incoming, outgoing) => answer(incoming, outgoing);
  const server = pem ? createHttpsServer({ key: pem, cert: pem }, listener) : createServer(listener);
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  /** Rejects connections. */
  const refuse = async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), 'close');
  };
  return {
    url: pem ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    /** Answers requests itself. @param path requests whose path ends with it; default: all */
    substitute({ status, type, body }: Substitute, path = '') {
      answer = (incoming, outgoing) => {
        if (!new URL(incoming.url ?? '/', target).pathname.endsWith(path)) return forward(incoming, outgoing);
        incoming.resume();
        outgoing.writeHead(status, { 'content-type': type }).end(body);
      };
    },
    /** Accepts requests and sends no response. */
    hang: () => void (answer = (incoming) => void incoming.resume()),
    /** Delays each request by this time in milliseconds. */
    delay(milliseconds: number) {
      answer = (incoming, outgoing) => void setTimeout(() => forward(incoming, outgoing), milliseconds);
    },
    refuse,
    /** Forwards again. */
    async forward() {
      answer = forward;
      if (server.listening) server.closeAllConnections();
      else await listen(port);
    },
    stop: refuse,
  };
}
