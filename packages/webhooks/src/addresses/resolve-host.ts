import { lookup, Resolver } from 'node:dns/promises';
import type { AllowedHosts } from './allowed-hosts.ts';

/** Returns the IPv4 and IPv6 addresses of a host name. Rejects, or returns none, if it has none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

interface QueryOptions {
  /** Name servers instead of those of the system, as `address:port`. */
  servers?: string[];
  /** Time limit of a look-up in milliseconds. */
  limitMs?: number;
}

/**
 * Creates the function that resolves host names. It queries DNS without `getaddrinfo`, because that blocks a thread of the process: four name servers that do not
 * answer would block all look-ups and all files. Only an allowed host name may be one that DNS does not have, such as a name in /etc/hosts.
 */
export const createHostResolver =
  ({ names }: AllowedHosts, options: QueryOptions = {}): ResolveHost =>
  async (hostname) =>
    names.has(hostname) ? (await lookup(hostname, { all: true })).map(({ address }) => address) : queryDns(hostname, options);

async function queryDns(hostname: string, { servers, limitMs = 5000 }: QueryOptions): Promise<string[]> {
  // A resolver reads the configuration of the system when it is created.
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    clearTimeout(timer);
  }
}
