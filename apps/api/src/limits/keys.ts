import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Caller } from '@profile-service/auth';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustProxy } from './trust-proxy.ts';

/** By what the requests of a caller are counted. */
export const callerKey = (caller: Caller): string => (caller.kind === 'user' ? `user:${caller.userId}` : `client:${caller.clientId}`);

/** By what is counted that one may hold at once: the tenant for which the caller acts, else the caller. */
export function tenantKey(caller: Caller): string {
  const tenantId = caller.kind === 'user' ? caller.tenant?.id : caller.tenantId;
  return tenantId === undefined ? callerKey(caller) : `tenant:${tenantId}`;
}

/**
 * By what the requests from an address are counted: an IPv4 address, or the /64 network of an IPv6 one, which is what one customer has.
 * @param trust which proxies' X-Forwarded-For is believed; absent: nobody's
 */
export function addressKey(request: IncomingMessage, trust: TrustProxy | undefined): string {
  const nearest = request.socket.remoteAddress ?? '';
  const said = trust ? withoutPort(proxyAddr(request, trust)) : nearest;
  // A trusted proxy may pass on what is no address.
  return networkOf(isIP(said) === 0 ? nearest : said);
}

/** An IPv4 address as a socket of both kinds shows it. */
const mapped = '::ffff:';

function networkOf(address: string): string {
  // Most are of these two forms, and the parser takes ten times as long.
  const plain = address.startsWith(mapped) ? address.slice(mapped.length) : address;
  if (isIP(plain) === 4) return plain;
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Some proxies add it: `203.0.113.7:5123`, `[2001:db8::1]:5123`. */
const withoutPort = (address: string): string => address.replace(/^([\d.]+):\d+$/, '$1').replace(/^\[(.+)\](:\d+)?$/, '$1');
