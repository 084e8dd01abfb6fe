import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, hung, noDownload, noResponse, noUpload, rateLimited, refused, responseCut, unavailable } from '../fault.ts';

const part = 'Service';
/** Callers of an instance that was killed get no response, and later no connection. A load balancer sends them to the other one. */
const allowed = [refused, noResponse, responseCut];

export const serviceFaults: readonly Fault[] = [
  {
    part,
    name: 'one of two instances stopped (SIGTERM) and started again',
    allowed: [],
    async prepare({ instances }) {
      await instances.end(0, 'SIGTERM');
      await instances.start(0, { SHUTDOWN_DELAY_SECONDS: '1' });
    },
    async begin({ instances }) {
      const ended = instances.end(0, 'SIGTERM');
      // Until a load balancer notices that the instance is not ready, it sends more requests.
      await pause(300);
      instances.targets.delete(0);
      const code = await ended;
      if (code !== 0) throw new Error(`The instance exited with ${code}`);
    },
    async end({ instances }) {
      await instances.start(0);
      instances.targets.add(0);
    },
  },
  {
    part,
    name: 'killed (SIGKILL) in mid-upload and in mid-creation of users, one instance after the other, and started again',
    allowed: [...allowed, noUpload, noDownload],
    async begin({ instances, storage, identity }) {
      // A part of 5 MiB then takes 10 seconds.
      await storage.tcp.add({ type: 'bandwidth', stream: 'upstream', attributes: { rate: 500 } });
      identity.proxy.delay(400);
      await pause(3_000);
      await instances.end(0, 'SIGKILL');
      // Callers repeat the interrupted requests at the other instance.
      await pause(500);
      await instances.end(1, 'SIGKILL');
      await storage.tcp.reset();
      await identity.proxy.forward();
    },
    end: async ({ instances }) => void (await Promise.all([instances.start(0), instances.start(1)])),
  },
  {
    part,
    name: 'one of two instances paused (SIGSTOP) for longer than every lease, and continued',
    // Requests that had begun before the pause end when their time limits have passed: also that of a request that waited for a slot of its tenant.
    allowed: [...allowed, hung, unavailable, rateLimited, '503 IDENTITY_PROVIDER_UNAVAILABLE', noUpload, noDownload],
    // A claim of an idempotency key lasts 20 seconds.
    minimumSeconds: 22,
    begin: async ({ instances }) => instances.signal(0, 'SIGSTOP'),
    end: async ({ instances }) => instances.signal(0, 'SIGCONT'),
  },
];
