import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Caller } from '@profile-service/auth';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustProxy } from './trust-proxy.ts';

/** The key of a caller's rate limits. */
export const callerKey = (caller: Caller): string => (caller.kind === 'user' ? `user:${caller.userId}` : `client:${caller.clientId}`);

/** The key of concurrency limits: the caller's active tenant, or the caller if there is none. */
export function tenantKey(caller: Caller): string {
  const tenantId = caller.kind === 'user' ? caller.tenant?.id : caller.tenantId;
  return tenantId === undefined ? callerKey(caller) : `tenant:${tenantId}`;
}

/**
 * The key of an address's rate limit: an IPv4 address, or the /64 network of an IPv6 address, which is what one customer gets.
 * @param trust decides which proxies' X-Forwarded-For counts; if undefined, none
 */
export function addressKey(request: IncomingMessage, trust: TrustProxy | undefined): string {
  const nearest = request.socket.remoteAddress ?? '';
  const forwarded = trust ? withoutPort(proxyAddr(request, trust)) : nearest;
  // A trusted proxy may forward a value that is not an address.
  return networkOf(isIP(forwarded) === 0 ? nearest : forwarded);
}

/** A dual-stack socket reports IPv4 addresses with this prefix. */
const mappedPrefix = '::ffff:';

function networkOf(address: string): string {
  // Most addresses have one of these two forms, and the parser takes ten times as long.
  const plain = address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
  if (isIP(plain) === 4) return plain;
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Removes the port that some proxies add: `203.0.113.7:5123`, `[2001:db8::1]:5123`. */
const withoutPort = (address: string): string => address.replace(/^([\d.]+):\d+$/, '$1').replace(/^\[(.+)\](:\d+)?$/, '$1');
