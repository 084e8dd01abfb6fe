import type { FaultyPostgres } from '../environment/postgres.ts';
import { type Fault, noDownload, noUpload, unavailable } from '../fault.ts';

const part = 'DNS';
const allowed = [unavailable, '503 IDENTITY_PROVIDER_UNAVAILABLE', noUpload, noDownload];
/** Longer than the service waits for a connection. glibc gives up after 10 seconds, and each look-up uses a thread of libuv until then. */
const longerThanConnecting = 6;

/** The faults of the look-up of names. */
export function dnsFaults({ proxy }: FaultyPostgres): readonly Fault[] {
  const begin =
    (behaviour: 'unknown' | 'silent'): Fault['begin'] =>
    async ({ dns }) => {
      dns.respondWith(behaviour);
      proxy.cut();
      proxy.forward();
    };
  const end: Fault['end'] = async ({ dns }) => dns.respondWith('address');
  const common = { part, allowed, end } as const;
  return [
    { ...common, name: 'no name is known, and all connections to PostgreSQL have ended', begin: begin('unknown') },
    {
      ...common,
      name: 'no response, and all connections to PostgreSQL have ended',
      minimumSeconds: longerThanConnecting,
      begin: begin('silent'),
    },
  ];
}
