import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkUrl, createSecret, createWebhookClient, parseAllowedHosts } from '../../src/index.ts';
import { hostileNames, hostileUrls } from './hostile-urls.ts';

const metadataUrl = 'http://169.254.169.254/latest/meta-data/';
const allowedHosts = parseAllowedHosts('allowed.example,127.0.0.9/32');
const resolve = (name: string) =>
  Promise.resolve(name === 'allowed.example' ? ['127.0.0.1'] : (hostileNames[name] ?? Promise.reject(new Error('ENOTFOUND'))));
const client = createWebhookClient({ allowedHosts, timeoutMs: 10_000, userAgent: 'test', resolve });
const send = (url: string, sender = client) => sender.send({ url, id: 'event', body: '{}', secrets: [createSecret()], at: new Date() });

/** Node reports each socket that this process opens. The server counts the connections that arrive. */
const channel = 'net.client.socket';
let [opened, arrived] = [0, 0];
const count = () => void (opened += 1);
const server = createServer((request, response) => {
  const status = Number(request.url?.slice(1));
  response.writeHead(status, { location: status === 307 ? `http://127.0.0.1:${port}/200` : metadataUrl }).end();
}).on('connection', () => void (arrived += 1));
let port = 0;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  port = (server.address() as AddressInfo).port;
  subscribe(channel, count);
});
beforeEach(() => {
  [opened, arrived] = [0, 0];
});
afterAll(async () => {
  unsubscribe(channel, count);
  await client.close();
  server.close();
});

test.each(hostileUrls)('no connection is opened for %s: %s', async (template, reason) => {
  const url = template.replace('PORT', String(port));
  expect(await checkUrl(url, allowedHosts, resolve)).toBe(reason);
  expect(await send(url)).toMatchObject({ responseStatus: null, responseBody: null, error: reason, abort: false });
  expect([opened, arrived]).toEqual([0, 0]);
});

test.each(['127.0.0.1', '10.0.0.1', '::1', '169.254.169.254'])(
  'a name that is public when it is checked, and then has %s, is not connected to',
  async (address) => {
    const answers = [['93.184.216.34'], [address]];
    const rebind = () => Promise.resolve(answers.shift() ?? []);
    const sender = createWebhookClient({ allowedHosts, timeoutMs: 10_000, userAgent: 'test', resolve: rebind });
    const url = `https://rebinding.example:${port}`;
    expect(await checkUrl(url, allowedHosts, rebind)).toBeUndefined();
    expect(await send(url, sender)).toMatchObject({ error: 'The host name does not resolve to a public address' });
    expect([opened, arrived]).toEqual([0, 0]);
    await sender.close();
  },
);

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
  const sender = createWebhookClient({ allowedHosts, timeoutMs: 10_000, userAgent: 'test', resolve });
  expect(await send(`http://allowed.example:${port}/${status}`, sender)).toMatchObject({ responseStatus: status, error: null });
  expect([opened, arrived]).toEqual([1, 1]);
  await sender.close();
});

test.each([
  ['allowed.example', 'http://allowed.example:PORT/200'],
  ['allowed.example', 'http://ALLOWED.example.:PORT/200'],
  ['127.0.0.1', 'http://127.0.0.1:PORT/200'],
  ['127.0.0.0/8', 'http://0x7f000001:PORT/200'],
  ['127.0.0.0/8', 'http://loopback.example:PORT/200'],
])('the exception %s allows %s', async (exception, template) => {
  const url = template.replace('PORT', String(port));
  const options = { allowedHosts: parseAllowedHosts(exception), timeoutMs: 10_000, userAgent: 'test', resolve };
  const sender = createWebhookClient(options);
  expect(await checkUrl(url, options.allowedHosts, resolve)).toBeUndefined();
  expect(await send(url, sender)).toMatchObject({ responseStatus: 200, error: null });
  expect([opened, arrived]).toEqual([1, 1]);
  await sender.close();
});

test.each([
  ['https://93.184.216.34', undefined],
  ['https://[2606:2800:220:1::1]:8443/path?query#hash', undefined],
  ['https://public.example.:1024', ['93.184.216.34', '2606:2800:220:1::1']],
])('public addresses are allowed: %s', async (url, addresses) => {
  expect(await checkUrl(url, parseAllowedHosts(''), () => Promise.resolve(addresses ?? []))).toBeUndefined();
});
