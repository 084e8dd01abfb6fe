import { type Gateway, startGateway } from '../../../../scripts/storage/gateway.ts';
import { startToxiproxy, type Toxiproxy } from '../../../../scripts/storage/toxiproxy.ts';
import { type Disk, mountDisk } from './disk.ts';
import { type HttpProxy, startHttpProxy } from '../../test/support/http-proxy.ts';

/** A real S3 gateway on a disk of its own. The instances reach it through a proxy for HTTP and one for TCP. */
export interface FaultyStorage {
  gateway: Gateway;
  disk: Disk;
  http: HttpProxy;
  tcp: Toxiproxy;
  /** The settings of the service for it, without the endpoint. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts the gateway. */
export async function startFaultyStorage(): Promise<FaultyStorage> {
  const disk = await mountDisk('faults-storage', 512);
  const gateway = await startGateway({ parentFolder: disk.folder, printErrors: false });
  const { STORAGE_ENDPOINT: endpoint = '', ...settings } = gateway.settings;
  const tcp = await startToxiproxy(endpoint);
  const http = await startHttpProxy(tcp.url, { keepHost: true });
  return {
    gateway,
    disk,
    http,
    tcp,
    settings,
    async stop() {
      await http.stop();
      await tcp.stop();
      await gateway.stop();
      await disk.remove();
    },
  };
}
