import { type Fault, noDownload, noUpload, responseCut } from '../fault.ts';
import type { Toxic } from '../../../../scripts/storage/toxiproxy.ts';

const part = 'Storage';
const allowed = [noUpload, noDownload];

const toxic = (...toxics: Toxic[]): Pick<Fault, 'begin' | 'end'> => ({
  async begin({ storage }) {
    for (const each of toxics) await storage.tcp.add(each);
  },
  end: ({ storage }) => storage.tcp.reset(),
});

export const storageFaults: readonly Fault[] = [
  {
    part,
    name: 'killed (SIGKILL) and started again',
    allowed: [...allowed, responseCut],
    begin: ({ storage }) => storage.gateway.kill(),
    end: ({ storage }) => storage.gateway.start(),
  },
  {
    part,
    name: 'answers 500',
    allowed,
    begin: async ({ storage }) =>
      storage.http.substitute({ status: 500, type: 'application/xml', body: '<Error><Code>InternalError</Code></Error>' }),
    end: ({ storage }) => storage.http.forward(),
  },
  {
    part,
    name: 'hangs',
    // The service waits 10 seconds for a response, twice.
    minimumSeconds: 21,
    allowed: [...allowed, responseCut],
    begin: async ({ storage }) => storage.http.hang(),
    end: ({ storage }) => storage.http.forward(),
  },
  { part, name: 'cuts the body of uploads', allowed, ...toxic({ type: 'limit_data', stream: 'upstream', attributes: { bytes: 1_500 } }) },
  {
    part,
    name: 'cuts the body of downloads',
    allowed: [...allowed, responseCut],
    ...toxic({ type: 'limit_data', stream: 'downstream', attributes: { bytes: 1_500 } }),
  },
  {
    part,
    name: 'resets connections',
    allowed: [...allowed, responseCut],
    ...toxic({ type: 'reset_peer', stream: 'downstream', attributes: { timeout: 0 } }),
  },
  {
    part,
    name: 'disk full',
    allowed,
    begin: ({ storage }) => storage.disk.fill(),
    end: ({ storage }) => storage.disk.free(),
  },
];
