import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type Packet } from 'dns-packet';
import { afterAll, expect, test } from 'vitest';
import { createHostResolver } from '../../src/addresses/resolve-host.ts';
import { parseAllowedHosts } from '../../src/index.ts';

/** Records by name. The server does not answer queries for other names. */
const records: Record<string, Partial<Record<string, string[]>>> = {
  'both.example': { A: ['93.184.216.34', '10.0.0.1'], AAAA: ['2606:2800:220:1::1'] },
  'ipv4.example': { A: ['93.184.216.34'] },
  'ipv6.example': { AAAA: ['::1'] },
  'empty.example': {},
};

const server = createSocket('udp4');
server.on('message', (message, client) => {
  const { id, questions = [] } = decode(message);
  const { name = '', type = 'A' } = questions[0] ?? {};
  const answers = records[name]?.[type]?.map((data) => ({ name, type, ttl: 0, data }));
  if (records[name]) server.send(encode({ id, type: 'response', questions, answers } as Packet), client.port, client.address);
});
await once(server.bind(0, '127.0.0.1'), 'listening');
afterAll(() => void server.close());

const resolver = (limitMs: number) =>
  createHostResolver(parseAllowedHosts('localhost'), { servers: [`127.0.0.1:${server.address().port}`], limitMs });
const resolve = resolver(60_000);

test.each([
  ['both.example', ['93.184.216.34', '10.0.0.1', '2606:2800:220:1::1']],
  ['ipv4.example', ['93.184.216.34']],
  ['ipv6.example', ['::1']],
  ['empty.example', []],
  ['not..valid', []],
])('%s has the addresses %j', async (name, addresses) => {
  expect(await resolve(name)).toEqual(addresses);
});

test('name servers that do not answer delay no other look-up', async () => {
  const silent = Array.from({ length: 20 }, (_, index) => resolve(`silent-${index}.example`));
  expect(await Promise.race([resolve('ipv4.example'), ...silent])).toEqual(['93.184.216.34']);
});

test('a look-up has a time limit', async () => {
  expect(await resolver(100)('silent.example')).toEqual([]);
});

test('an allowed host name may be in /etc/hosts only', async () => {
  expect(await resolve('localhost')).toContain('127.0.0.1');
});
