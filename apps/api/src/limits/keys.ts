import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { activeTenantId, type Caller, type Claims } from '@profile-service/auth';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustProxy } from './trust-proxy.ts';

/** The key under which a caller's requests are counted: the person, or the application's client. Known before the caller is loaded. */
export const callerKey = (kind: Caller['kind'], { sub, azp }: Claims): string => (kind === 'user' ? `user:${sub}` : `client:${azp}`);

/** The key of the concurrency limits: the active tenant, or the caller when there is none. */
export function tenantKey(caller: Caller): string {
  const tenantId = activeTenantId(caller);
  return tenantId === null ? callerKey(caller.kind, caller.claims) : `tenant:${tenantId}`;
}

/**
 * The key under which the requests of an address are counted: an IPv4 address, or the /64 network of an IPv6 address, because one customer has a whole /64.
 * @param trust which proxies' X-Forwarded-For is trusted; absent: none
 */
export function addressKey(request: IncomingMessage, trust: TrustProxy | undefined): string {
  const nearest = request.socket.remoteAddress ?? '';
  const forwarded = trust ? withoutPort(proxyAddr(request, trust)) : nearest;
  // A trusted proxy may forward text that is not an address.
  return networkOf(isIP(forwarded) === 0 ? nearest : forwarded);
}

/** Prefix of an IPv4 address on a dual-stack socket. */
const mapped = '::ffff:';

function networkOf(address: string): string {
  // Most addresses have one of these two forms; the parser takes ten times as long.
  const plain = address.startsWith(mapped) ? address.slice(mapped.length) : address;
  if (isIP(plain) === 4) return plain;
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Some proxies add the port: `203.0.113.7:5123`, `[2001:db8::1]:5123`. */
const withoutPort = (address: string): string => address.replace(/^([\d.]+):\d+$/, '$1').replace(/^\[(.+)\](:\d+)?$/, '$1');
