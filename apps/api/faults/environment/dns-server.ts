import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode, encode, type Packet } from 'dns-packet';

/** The host names under which the instances reach their dependencies. */
type Host = 'postgres.test' | 'redis.test' | 'identity.test' | 'storage.test';

/** How the server responds: with the address 127.0.0.1, with the error that the name does not exist, or not at all. */
type Behaviour = 'address' | 'unknown' | 'silent';

/** A loopback address that no other DNS server uses. glibc asks no other port than 53. */
const [address, port] = ['127.53.53.53', 53];
/** The code of the error that a name does not exist (RFC 1035, section 4.1.1). */
const nameError = 3;

/** Starts the only DNS server of the instances. Needs root for its port and for `mount`. @param folder where the file is stored that names the server */
export async function startDnsServer(folder: string) {
  let current: Behaviour = 'address';
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => {
    if (current !== 'silent') socket.send(encode(responseTo(decode(query), current)), client.port, client.address);
  });
  socket.bind(port, address);
  await once(socket, 'listening');
  const file = join(folder, 'resolv.conf');
  await writeFile(file, `nameserver ${address}\n`);
  return {
    /** The command line before the program of an instance, which makes this server the only one of that process. Only the instance sees this mount. */
    launcher: ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file],
    /** Changes how the server responds. It begins with `address`. */
    respondWith: (behaviour: Behaviour) => void (current = behaviour),
    stop: () => void socket.close(),
  };
}

function responseTo({ id, questions = [] }: Packet, behaviour: Behaviour): Packet {
  if (behaviour === 'unknown') return { id, type: 'response', flags: nameError, questions };
  const answers = questions.filter(({ type }) => type === 'A').map(({ name }) => ({ type: 'A', name, ttl: 0, data: '127.0.0.1' }) as const);
  return { id, type: 'response', questions, answers };
}

/** Returns the URL with another host name. */
export function withHost(url: string, host: Host): string {
  const changed = new URL(url);
  changed.hostname = host;
  return changed.href.replace(/\/$/, '');
}
