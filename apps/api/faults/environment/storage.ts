import { startGateway } from '../../../../scripts/storage/gateway.ts';
import { startToxiproxy } from '../../../../scripts/storage/toxiproxy.ts';
import { mountDisk } from './disk.ts';
import { startHttpProxy } from '../../test/support/http-proxy.ts';

/** Starts a real S3 gateway on a disk of its own. The instances reach it through a proxy for HTTP and one for TCP. */
export async function startFaultyStorage() {
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
    /** The settings of the service for it, without the endpoint. */
    settings,
    async stop() {
      await http.stop();
      await tcp.stop();
      await gateway.stop();
      await disk.remove();
    },
  };
}
