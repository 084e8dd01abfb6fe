import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../../../test/listen.ts';

export interface LossyProxy {
  url: string;
  /** Loses the response of each of the next requests, after the service has sent it: the client sees a broken connection. */
  loseNext(responses: number): void;
  /** The number of requests since the last call. */
  takeRequests(): number;
  stop(): Promise<void>;
}

/** Starts an HTTP proxy in front of a service. @param target URL of the service */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  let toLose = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const isLost = toLose > 0;
    toLose -= isLost ? 1 : 0;
    const forward = async () => {
      const body = await buffer(request);
      const { host: _, connection: __, 'transfer-encoding': ___, 'content-length': ____, ...headers } = request.headers;
      const answer = await fetch(target + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body.length > 0 ? { body } : {}),
      });
      const content = Buffer.from(await answer.arrayBuffer());
      if (isLost) return request.socket.destroy();
      const passed = [...answer.headers].filter(([name]) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name));
      return response.writeHead(answer.status, Object.fromEntries(passed)).end(content);
    };
    forward().catch(() => request.socket.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    loseNext: (responses) => (toLose = responses),
    takeRequests: () => {
      const taken = requests;
      requests = 0;
      return taken;
    },
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
