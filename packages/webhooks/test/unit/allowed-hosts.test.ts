import { expect, test } from 'vitest';
import { parseAllowedHosts } from '../../src/index.ts';

test.each([
  ['', [], []],
  [' localhost , Bücher.Example. ,', ['localhost', 'xn--bcher-kva.example'], []],
  ['my_host,a.b-c', ['my_host', 'a.b-c'], []],
  ['10.0.0.0/8,192.168.1.1', [], ['Subnet: IPv4 10.0.0.0/8', 'Subnet: IPv4 192.168.1.1/32']],
  ['fd00::/8, ::1 ,api', ['api'], ['Subnet: IPv6 fd00::/8', 'Subnet: IPv6 ::1/128']],
  ['0.0.0.0/0', [], ['Subnet: IPv4 0.0.0.0/0']],
])('the allowed hosts "%s" are the names %j and the ranges %j', (text, names, ranges) => {
  const allowedHosts = parseAllowedHosts(text);
  expect([...allowedHosts.names]).toEqual(names);
  expect(allowedHosts.ranges.rules.toSorted()).toEqual(ranges.toSorted());
});

const invalidRanges = '10.0.0.0/33 10.0.0.0/ 10.0.0.0/8/8 10.0.0.0/+8 10.0.0.0/08 10.0.0.0/8.0 10.0.0.0/-1 10/8 ::1/129 [::1] fe80::1%eth0';
const invalidNames = '127.1 0x7f.1 2130706433 1.2.3.4.5 localhost:8080 http://localhost a/b a@b *.example.com a..b .a %6c';

test.each([...invalidRanges.split(' '), ...invalidNames.split(' '), 'a b'])('"%s" is no allowed host', (entry) => {
  expect(() => parseAllowedHosts(`localhost,${entry}`)).toThrow(`"${entry}" is neither a host name nor a CIDR range`);
});
