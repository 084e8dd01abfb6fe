import { BlockList, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The metadata service of Azure. Those of other clouds have private or link-local addresses. */
const metadata = '168.63.129.16';

/** The part of IPv6 that is assigned for public use. Outside of it are deprecated forms of IPv4 addresses, such as `::7f00:1`, which ipaddr.js calls `unicast`. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is on the public internet. Private, reserved and documentation addresses are not, nor is an IPv6 address that contains an IPv4 address. */
export function isPublic(address: string): boolean {
  if (ipaddr.parse(address).range() !== 'unicast') return false;
  return isIPv4(address) ? address !== metadata : globalUnicast.check(address, 'ipv6');
}
