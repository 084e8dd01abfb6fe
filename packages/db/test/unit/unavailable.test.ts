import { expect, test } from 'vitest';
import { isUnavailable } from '../../src/connection/unavailable.ts';

const errorWith = (code: string) => Object.assign(new Error('failed'), { code });

test.each([
  ['disk full', '53100', true],
  ['out of memory', '53200', true],
  ['too many connections', '53300', true],
  ['input or output error', '58030', true],
  ['undefined file', '58P01', true],
  ['a server that shuts down', '57P01', true],
  ['a refused connection', 'ECONNREFUSED', true],
  ['a network without a connection', 'ENETDOWN', true],
  ['a machine without free ports', 'EADDRNOTAVAIL', true],
  ['a process without free file descriptors', 'EMFILE', true],
  ['a failed TLS handshake', 'EPROTO', true],
  ['a violated constraint', '23505', false],
  ['a syntax error', '42601', false],
])('%s (%s): the database is unavailable: %s', (_, code, expected) => {
  expect(isUnavailable(errorWith(code))).toBe(expected);
});
