import type { FaultyPostgres } from '../environment/postgres.ts';
import { type Fault, noDownload, noUpload, rateLimited, unavailable } from '../fault.ts';

/** Longer than the service waits for a connection. glibc gives up after 10 seconds, and each look-up uses a thread of libuv until then. */
const longerThanConnecting = 6;

/** The faults of the look-up of names. The instances look up names for new connections only, so those to PostgreSQL end. */
export function dnsFaults({ proxy }: FaultyPostgres): readonly Fault[] {
  const dnsFault = (name: string, behaviour: 'unknown' | 'silent', minimumSeconds = 0, allowed: readonly string[] = []): Fault => ({
    part: 'DNS',
    name: `${name}, and all connections to PostgreSQL have ended`,
    allowed: [unavailable, '503 IDENTITY_PROVIDER_UNAVAILABLE', noUpload, noDownload, ...allowed],
    minimumSeconds,
    async begin({ dns }) {
      dns.respondWith(behaviour);
      proxy.cut();
      proxy.forward();
    },
    end: async ({ dns }) => dns.respondWith('address'),
  });
  // New connections hang, as if the database did.
  return [dnsFault('no name is known', 'unknown'), dnsFault('no response', 'silent', longerThanConnecting, [rateLimited])];
}
