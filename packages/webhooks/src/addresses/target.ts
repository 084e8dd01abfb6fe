import { isIP, isIPv4 } from 'node:net';
import { WebhookError } from '../webhook-error.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { isPublic } from './public-address.ts';
import type { ResolveHost } from './resolve-host.ts';

/** What a request is sent to. A URL is one. */
export interface Target {
  /** `http:` or `https:` */
  readonly protocol: string;
  /** A name in lower case, or an IP address in the form that `new URL` gives to all of them, with or without brackets. */
  readonly hostname: string;
}

/**
 * Returns the addresses of a target. Each of them is allowed.
 * @throws WebhookError if the host does not resolve, or one of its addresses is not allowed
 */
export async function resolveTarget(target: Target, allowedHosts: AllowedHosts, resolve: ResolveHost): Promise<string[]> {
  const host = target.hostname.replaceAll(/[[\]]/g, '');
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  const areAllowed = addresses.length > 0 && addresses.every((address) => isAllowed(target, address, allowedHosts));
  if (areAllowed) return addresses;
  if (target.protocol !== 'https:') throw new WebhookError('The URL must begin with https://');
  // One message for names that do not exist and names of private addresses: it must not tell which names the internal network has.
  throw new WebhookError(isIP(host) === 0 ? 'The host name does not resolve to a public address' : 'The address is not public');
}

/** Whether requests to a target may be sent to an address. */
export const isAllowed = ({ protocol, hostname }: Target, address: string, { names, ranges }: AllowedHosts): boolean =>
  names.has(hostname) || ranges.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') || (protocol === 'https:' && isPublic(address));
