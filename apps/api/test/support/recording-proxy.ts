import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { listen } from '../../../../test/listen.ts';

export interface RecordingProxy {
  url: string;
  /** The headers of the requests so far. */
  headers: IncomingHttpHeaders[];
  stop(): Promise<void>;
}

/** Starts an HTTP proxy that records the headers of requests. @param target URL of the server */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    headers.push(incoming.headers);
    const forwarded = request(new URL(incoming.url ?? '', target), { method: incoming.method ?? 'GET', headers: incoming.headers });
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    headers,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
