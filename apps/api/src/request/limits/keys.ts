import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { activeTenantId, type Caller, type Claims } from '@profile-service/auth';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustProxy } from './trust-proxy.ts';

/** The rate limit key of a caller: `sub` of a user, `azp` of an application. It needs only the token, so it is known before the caller is loaded (D-27). */
export const callerKey = (kind: Caller['kind'], { sub, azp }: Claims): string => (kind === 'user' ? `user:${sub}` : `client:${azp}`);

/** The key of the concurrency limits: the active tenant, or the caller without an active tenant. */
export function tenantKey(caller: Caller): string {
  const tenantId = activeTenantId(caller);
  return tenantId === null ? callerKey(caller.kind, caller.claims) : keyOfTenant(tenantId);
}

/** The key of the concurrency limits of a tenant. */
export const keyOfTenant = (tenantId: string): string => `tenant:${tenantId}`;

/**
 * The rate limit key of a client address: an IPv4 address, or the /64 network of an IPv6 address, because one customer usually has a whole /64.
 * @param trust the proxies whose X-Forwarded-For is trusted; undefined: none
 */
export function addressKey(request: IncomingMessage, trust: TrustProxy | undefined): string {
  const peer = request.socket.remoteAddress ?? '';
  const forwarded = trust ? withoutPort(proxyAddr(request, trust)) : peer;
  // A trusted proxy may forward text that is not an address.
  return networkOf(isIP(forwarded) === 0 ? peer : forwarded);
}

/** Prefix of an IPv4 address on a dual-stack socket. */
const ipv4Mapped = '::ffff:';

/** Returns an IPv4 address as it is, and the /64 network of an IPv6 address. */
function networkOf(address: string): string {
  // Handle plain and mapped IPv4 addresses first: they are the most frequent, and the parser takes ten times as long.
  const plain = address.startsWith(ipv4Mapped) ? address.slice(ipv4Mapped.length) : address;
  if (isIP(plain) === 4) return plain;
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Some proxies add the port: `203.0.113.7:5123`, `[2001:db8::1]:5123`. */
const withoutPort = (address: string): string => address.replace(/^([\d.]+):\d+$/, '$1').replace(/^\[(.+)\](:\d+)?$/, '$1');
