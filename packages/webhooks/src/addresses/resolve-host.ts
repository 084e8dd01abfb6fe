import { lookup, Resolver } from 'node:dns/promises';
import type { AllowedHosts } from './allowed-hosts.ts';

/** Returns the IPv4 and IPv6 addresses of a host name. Rejects, or returns none, if it has none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Time limit of a DNS query in milliseconds, for all its attempts. */
const limitMs = 5000;

/**
 * Creates the function that resolves host names. It queries DNS without `getaddrinfo`, because that blocks a thread of the process: four name servers that do not
 * answer would block all look-ups and all files. Only an allowed host name can be one that DNS does not have, such as a name in /etc/hosts.
 */
export const createHostResolver =
  (allowedHosts: AllowedHosts): ResolveHost =>
  async (hostname) =>
    allowedHosts.names.has(hostname) ? (await lookup(hostname, { all: true })).map(({ address }) => address) : queryDns(hostname);

async function queryDns(hostname: string): Promise<string[]> {
  // A resolver reads the configuration of the system when it is created.
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    clearTimeout(timer);
  }
}
