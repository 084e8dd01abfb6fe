import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { createServer, request as requestHttps } from 'node:https';
import { fileURLToPath } from 'node:url';
import { listen } from '../../../../../test/listen.ts';

/** A self-signed certificate for localhost, and its key. */
const certificate = fileURLToPath(new URL('../../support/localhost.pem', import.meta.url));

export interface HttpsProxy {
  url: string;
  /** The authority of its certificate, which Node does not know. */
  caFile: string;
  stop(): Promise<void>;
}

/** Starts an HTTPS proxy in front of a server. @param target URL of the server */
export async function startHttpsProxy(target: string): Promise<HttpsProxy> {
  const pem = readFileSync(certificate);
  const request = target.startsWith('https:') ? requestHttps : requestHttp;
  const server = createServer({ key: pem, cert: pem }, (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const forwarded = request(target + url, { method, headers: { ...headers, host: new URL(target).host } }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const port = await listen(server);
  return {
    url: `https://localhost:${port}`,
    caFile: certificate,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
