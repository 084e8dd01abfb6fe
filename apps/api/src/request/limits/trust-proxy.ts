import proxyAddr from 'proxy-addr';

/** Whether the proxy with this address, `hop` hops away, is trusted. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Reads TRUST_PROXY: the number of proxies in front of the service, or a comma-separated list of addresses, networks
 * and names of networks (`loopback`, `linklocal`, `uniquelocal`).
 * @throws TypeError if the text is neither
 */
export function readTrustProxy(text: string): TrustProxy {
  if (/^\d{1,2}$/.test(text)) return (_address, hop) => hop < Number(text);
  return proxyAddr.compile(text.split(',').map((part) => part.trim()));
}
