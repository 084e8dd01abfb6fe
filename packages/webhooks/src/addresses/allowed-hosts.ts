import { BlockList, isIP } from 'node:net';

/** Hosts that may have an address that is not public, and may be called with `http`. */
export interface AllowedHosts {
  /** Host names in lower case, without a trailing dot. Whatever address they resolve to is allowed. */
  readonly names: ReadonlySet<string>;
  readonly ranges: BlockList;
}

/**
 * Reads the setting WEBHOOK_ALLOWED_HOSTS.
 * @param text host names, IP addresses and CIDR ranges, separated by commas; may be empty
 * @throws Error that names the first invalid entry
 */
export function parseAllowedHosts(text: string): AllowedHosts {
  const names = new Set<string>();
  const ranges = new BlockList();
  for (const entry of text.split(',').map((each) => each.trim())) {
    if (entry === '') continue;
    const [address = '', prefix] = entry.split('/', 2);
    if (isIP(address) === 0 || address.includes('%')) names.add(parseName(entry));
    else addRange(ranges, entry, address, prefix);
  }
  return { names, ranges };
}

function addRange(ranges: BlockList, entry: string, address: string, prefix: string | undefined): void {
  const isIPv4 = isIP(address) === 4;
  const longest = isIPv4 ? 32 : 128;
  const length = prefix === undefined ? longest : Number(prefix);
  const isWritten = entry === address || entry === `${address}/${length}`;
  if (!isWritten || !Number.isInteger(length) || length < 0 || length > longest) throw invalid(entry);
  ranges.addSubnet(address, length, isIPv4 ? 'ipv4' : 'ipv6');
}

function parseName(entry: string): string {
  // `new URL` would take `127.1` for 127.0.0.1, and the `a` of `a/b` or `a:1` for the host.
  const isPlain = !/[/:?#@%\\\s]/.test(entry) && URL.canParse(`https://${entry}`);
  const name = isPlain ? new URL(`https://${entry}`).hostname.replace(/\.$/, '') : '';
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name) || isIP(name) !== 0) throw invalid(entry);
  return name;
}

const invalid = (entry: string): Error => new Error(`"${entry}" is neither a host name nor a CIDR range`);
