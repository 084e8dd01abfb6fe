import { freePort } from '../../test/free-port.ts';
import { installGoProgram } from '../go-program.ts';
import { startServerProcess } from './server-process.ts';

/** Builds the proxy if it is not in the cache. @returns the program's path  @throws where the machine has no Go */
export const installToxiproxy = (): Promise<string> =>
  installGoProgram({
    name: 'toxiproxy-server',
    path: 'github.com/Shopify/toxiproxy/v2/cmd/server',
    version: 'v2.12.0',
    cache: process.env['VERSITYGW_CACHE'],
  });

/** A fault of the connections. `upstream`: of what the client sends; `downstream`: of what it receives. */
export interface Toxic {
  type: 'latency' | 'bandwidth' | 'reset_peer' | 'limit_data' | 'timeout';
  stream: 'upstream' | 'downstream';
  attributes: Record<string, number>;
}

export interface Toxiproxy {
  /** The address of the proxied server, through the proxy. */
  url: string;
  /** Adds a fault to the open connections and to new ones. */
  add(toxic: Toxic): Promise<void>;
  /** Removes all faults. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the server. @param target URL of the server */
export async function startToxiproxy(target: string): Promise<Toxiproxy> {
  const [apiPort, port] = [await freePort(), await freePort()];
  const server = await startServerProcess(await installToxiproxy(), ['-host', '127.0.0.1', '-port', String(apiPort)], apiPort, {
    LOG_LEVEL: 'error',
  });
  async function call(path: string, body: object = {}): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${apiPort}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`toxiproxy responds with ${response.status}: ${await response.text()}`);
  }
  await call('/proxies', { name: 'server', listen: `127.0.0.1:${port}`, upstream: new URL(target).host });
  return {
    url: `http://127.0.0.1:${port}`,
    add: (toxic) => call('/proxies/server/toxics', toxic),
    reset: () => call('/reset'),
    stop: server.stop,
  };
}
