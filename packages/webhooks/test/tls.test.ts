import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import tls from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { createSecret, createWebhookClient, parseAllowedHosts } from '../src/index.ts';

const certificateOf = (days: number) => {
  const [day, now] = [24 * 3_600_000, Date.now()];
  return generate([{ name: 'commonName', value: 'receiver.example' }], {
    notBeforeDate: new Date(now - 10 * day),
    notAfterDate: new Date(now + days * day),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'receiver.example' }] }],
  });
};
const [valid, expired, untrusted] = await Promise.all([certificateOf(1), certificateOf(-1), certificateOf(1)]);
const httpsServer = ({ private: key, cert }: typeof valid) =>
  createTlsServer({ key, cert }, (_request, response) => void response.end('ok'));
const servers = {
  valid: httpsServer(valid),
  expired: httpsServer(expired),
  untrusted: httpsServer(untrusted),
  plain: createServer((socket) => void socket.end('220 mail.example ESMTP\r\n')),
  reset: createServer((socket) => void socket.resetAndDestroy()),
  silent: createServer(),
};

const authorities = tls.getCACertificates('default');
beforeEach(() => tls.setDefaultCACertificates([...authorities, valid.cert, expired.cert]));
afterEach(() => tls.setDefaultCACertificates(authorities));
afterAll(() => Object.values(servers).forEach((server) => server.close()));

const failed = (error: string) => ({ responseStatus: null, responseBody: null, error });

test.each([
  ['valid', 'receiver.example', { responseStatus: 200, responseBody: 'ok', error: null }],
  ['valid', 'another.example', failed('The TLS certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)')],
  ['expired', 'receiver.example', failed('The TLS certificate is not valid (CERT_HAS_EXPIRED)')],
  ['untrusted', 'receiver.example', failed('The TLS certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)')],
  ['plain', 'receiver.example', failed('The TLS handshake failed')],
  ['reset', 'receiver.example', failed('The connection was closed')],
  ['silent', 'receiver.example', failed('The response took longer than 0.2 seconds')],
] as const)('the attempt to send to a server whose TLS is %s, as %s', async (name, host, result) => {
  // Node reads this setting for every connection of the process.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const allowedHosts = parseAllowedHosts(host);
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const client = createWebhookClient({ allowedHosts, timeoutMs: name === 'silent' ? 200 : 60_000, userAgent: 'test', resolve });
  const url = `https://${host}:${await listen(servers[name])}`;
  expect(await client.send({ url, id: 'event', body: '{}', secrets: [createSecret()], at: new Date() })).toMatchObject(result);
  await client.close();
  servers[name].close();
  vi.unstubAllEnvs();
});
