import { Problem } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { openConnection } from './connection.ts';

const world = useWorld();

const open = () => openConnection(world.service.port);
const head = (request: string, ...headers: string[]) =>
  [`${request} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${world.global.token}`, ...headers, '', ''].join('\r\n');
const post = (...headers: string[]) => head('POST /api/apps', 'Content-Type: application/json', ...headers);
const health = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('the connection stays usable after a rejected body', () => {
  const mib = 1024 * 1024;
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
  const withoutToken = 'POST /api/apps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';

  test.each<[what: string, begin: () => string, code: string, rest: string]>([
    [
      'whose chunks are too large',
      () => post('Transfer-Encoding: chunked') + chunk.repeat(17),
      'PAYLOAD_TOO_LARGE',
      `${chunk.repeat(64)}0\r\n\r\n`,
    ],
    ['whose Content-Length is too large', () => post(`Content-Length: ${2 * mib}`), 'PAYLOAD_TOO_LARGE', 'x'.repeat(2 * mib)],
    ['of an unauthenticated caller', () => withoutToken, 'UNAUTHORIZED', 'x'.repeat(100_000)],
  ])('%s', async (_what, begin, code, rest) => {
    const { socket, until } = await open();
    socket.write(begin());
    await until(code);
    socket.write(rest);
    socket.write(health);
    expect(await until('"status":"ok"')).toContain('"status":"ok"');
    socket.destroy();
  });
});

describe('a malformed HTTP request', () => {
  // Rules: ERRORS-1
  test.each([
    ['no request line', 'nonsense\r\n\r\n'],
    ['a header without colon', 'GET /api/users HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n'],
    ['a head of 20 kB', `GET /api/users HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('gets a problem document, and the connection ends: %s', async (_what, text) => {
    const { socket, closed, until } = await open();
    socket.write(text);
    await closed;
    const [answerHead = '', body = ''] = (await until('')).split('\r\n\r\n');
    expect(answerHead).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answerHead.toLowerCase()).toContain('content-type: application/problem+json');
    expect(answerHead.toLowerCase()).toContain('x-content-type-options: nosniff');
    const problem = Problem.strict().parse(JSON.parse(body));
    expect(problem).toMatchObject({ type: 'http://docs.example/errors#VALIDATION_FAILED', status: 400, code: 'VALIDATION_FAILED' });
    expect(answerHead.toLowerCase()).toContain(`x-request-id: ${problem.instance}`);
  });
});

test('a request without Host is rejected', async () => {
  const { socket, until } = await open();
  socket.write('GET /api/users HTTP/1.1\r\n\r\n');
  expect(await until('VALIDATION_FAILED')).toContain('"errors":[{"path":"Host"');
  socket.destroy();
});

test('an unknown Expect header is ignored', async () => {
  const { socket, until } = await open();
  socket.write(`GET /health/live HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n`);
  expect(await until('"status":"ok"')).toContain('HTTP/1.1 200 OK');
  socket.destroy();
});
