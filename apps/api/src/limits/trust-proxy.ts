import proxyAddr from 'proxy-addr';

/** Whether the proxy with this address, that many hops away from here, is believed. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Reads TRUST_PROXY: how many proxies stand before the service, or their addresses, networks and names of networks
 * (`loopback`, `linklocal`, `uniquelocal`), separated by commas.
 * @throws TypeError where it is neither
 */
export function readTrustProxy(text: string): TrustProxy {
  if (/^\d{1,2}$/.test(text)) return (_address, hop) => hop < Number(text);
  return proxyAddr.compile(text.split(',').map((part) => part.trim()));
}
