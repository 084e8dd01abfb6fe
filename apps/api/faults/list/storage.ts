import { type Fault, noDownload, noUpload, responseCut } from '../fault.ts';
import type { Toxic } from '../../../../scripts/storage/toxiproxy.ts';

const part = 'Storage';
const allowed = [noUpload, noDownload];
const allowedOrCut = [...allowed, responseCut];
const internalError = { status: 500, type: 'application/xml', body: '<Error><Code>InternalError</Code></Error>' };

const toxic = (each: Toxic): Pick<Fault, 'begin' | 'end'> => ({
  begin: ({ storage }) => storage.tcp.add(each),
  end: ({ storage }) => storage.tcp.reset(),
});
const forward: Fault['end'] = ({ storage }) => storage.http.forward();

export const storageFaults: readonly Fault[] = [
  {
    part,
    name: 'killed (SIGKILL) and started again',
    allowed: allowedOrCut,
    begin: ({ storage }) => storage.gateway.kill(),
    end: ({ storage }) => storage.gateway.start(),
  },
  { part, name: 'answers 500', allowed, begin: async ({ storage }) => storage.http.substitute(internalError), end: forward },
  // The service waits 10 seconds for a response, twice.
  { part, name: 'hangs', minimumSeconds: 21, allowed: allowedOrCut, begin: async ({ storage }) => storage.http.hang(), end: forward },
  { part, name: 'cuts the body of uploads', allowed, ...toxic({ type: 'limit_data', stream: 'upstream', attributes: { bytes: 1_500 } }) },
  {
    part,
    name: 'cuts the body of downloads',
    allowed: allowedOrCut,
    ...toxic({ type: 'limit_data', stream: 'downstream', attributes: { bytes: 1_500 } }),
  },
  {
    part,
    name: 'resets connections',
    allowed: allowedOrCut,
    ...toxic({ type: 'reset_peer', stream: 'downstream', attributes: { timeout: 0 } }),
  },
  { part, name: 'disk full', allowed, begin: ({ storage }) => storage.disk.fill(), end: ({ storage }) => storage.disk.free() },
];
