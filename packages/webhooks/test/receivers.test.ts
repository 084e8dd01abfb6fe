import { afterAll, expect, test } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { freePort } from '../../../test/free-port.ts';
import { listen } from '../../../test/listen.ts';
import { type Attempt, createSecret, createWebhookClient, isDelivered, parseAllowedHosts } from '../src/index.ts';
import { createHostileReceiver } from './hostile-receiver.ts';

const server = createHostileReceiver();
const origin = `http://receiver.example:${await listen(server)}`;
let connections = 0;
server.on('connection', () => void (connections += 1));

const clientWith = (timeoutMs: number, resolve = () => Promise.resolve(['127.0.0.1'])) =>
  createWebhookClient({ allowedHosts: parseAllowedHosts('receiver.example'), timeoutMs, userAgent: 'profile-service/1.0.0', resolve });
const [impatient, patient] = [clientWith(200), clientWith(60_000)];
const send = (client: typeof patient, path: string): Promise<Attempt> =>
  client.send({ url: origin + path, id: 'event', body: '{}', secrets: [createSecret()], at: new Date() });
const nextRequest = () => new Promise<IncomingMessage>((done) => void server.once('request', done));

afterAll(async () => {
  server.closeAllConnections();
  await Promise.all([impatient.close(), patient.close()]);
  server.close();
});

const late = { error: 'The response took longer than 0.2 seconds', responseStatus: null, responseBody: null };
const closed = 'The connection was closed';

test.each(['/silent', '/slow-headers', '/early-hints'])('%s is given up', async (path) => {
  expect(await send(impatient, path)).toMatchObject(late);
});

test('a body that does not end in time is an error, with what has arrived of it', async () => {
  const client = clientWith(2000);
  const attempt = await send(client, '/slow-body');
  expect(attempt).toMatchObject({ responseStatus: 200, error: 'The response took longer than 2 seconds' });
  expect(attempt.responseBody).toMatch(/^x+$/);
  expect(isDelivered(attempt)).toBe(false);
  await client.close();
});

test.each([
  ['/good', { responseStatus: 200, responseBody: 'ok', error: null, retryAfterSeconds: null, abort: false }],
  ['/endless', { responseStatus: 200, responseBody: 'é'.repeat(1024), error: null }],
  ['/reset', { responseStatus: null, responseBody: null, error: closed }],
  ['/reset-in-body', { responseStatus: 200, responseBody: 'partial', error: closed }],
  ['/short', { responseStatus: 200, responseBody: 'x', error: closed }],
  ['/gone', { responseStatus: 410, responseBody: 'gone', error: null }],
  ['/broken', { responseStatus: 500, responseBody: 'broken', error: null, retryAfterSeconds: null }],
  ['/limited', { responseStatus: 429, responseBody: '', error: null, retryAfterSeconds: 7 }],
  ['/limited-forever', { responseStatus: 503, error: null, retryAfterSeconds: 3600 }],
  ['/abort', { responseStatus: 400, error: null, abort: true }],
  ['/huge-headers', { responseStatus: null, error: 'The headers of the response are too large' }],
  ['/not-http', { responseStatus: null, error: 'The response is not valid HTTP' }],
  ['/upgrade', { responseStatus: null, error: closed }],
  ['/binary', { responseStatus: 200, responseBody: 'a\uFFFDb', error: null }],
  ['/emoji', { responseStatus: 200, responseBody: '😀'.repeat(1024), error: null }],
])('the result of an attempt to send to %s', async (path, result) => {
  const attempt = await send(patient, path);
  expect(attempt).toMatchObject(result);
  expect(isDelivered(attempt)).toBe(result.responseStatus === 200 && result.error === null);
});

test('a refused connection is named without its address', async () => {
  const url = `http://receiver.example:${await freePort()}`;
  const attempt = await patient.send({ url, id: 'event', body: '', secrets: [createSecret()], at: new Date() });
  expect(attempt).toMatchObject({ responseStatus: null, responseBody: null, error: 'The connection was refused' });
});

test('receivers that do not answer delay no other request, not even to the same host', async () => {
  const paths = ['/silent', '/slow-headers', '/slow-body', '/early-hints'];
  const answered: string[] = [];
  const hanging = Array.from({ length: 200 }, (_, index) => paths[index % paths.length]!).map(async (path) => {
    const attempt = await send(patient, path);
    answered.push(path);
    return attempt;
  });
  const good = await Promise.all(Array.from({ length: 20 }, () => send(patient, '/good')));
  expect(good.map(({ responseStatus }) => responseStatus)).toEqual(good.map(() => 200));
  expect(answered).toEqual([]);
  await expect.poll(() => connections).toBeGreaterThanOrEqual(hanging.length);
  server.closeAllConnections();
  expect((await Promise.all(hanging)).map(({ error }) => error)).toEqual(hanging.map(() => closed));
});

test('a look-up that does not end delays no other request to the same host', async () => {
  let release = (_addresses: string[]) => {};
  const answers = [new Promise<string[]>((done) => (release = done)), Promise.resolve(['127.0.0.1'])];
  const client = clientWith(60_000, () => answers.shift()!);
  const hanging = send(client, '/good');
  expect(await send(client, '/good')).toMatchObject({ responseStatus: 200 });
  release(['127.0.0.1']);
  expect(await hanging).toMatchObject({ responseStatus: 200 });
  await client.close();
});

test('the time limit includes the look-up', async () => {
  expect(
    await send(
      clientWith(200, () => new Promise(() => {})),
      '/good',
    ),
  ).toMatchObject(late);
});

test('connections are used again', async () => {
  const client = clientWith(60_000);
  const before = connections;
  for (const path of ['/good', '/gone', '/broken', '/emoji', '/good', '/good', '/good', '/good']) await send(client, path);
  // undici opens a second one if a request comes while it is about to finish the last one.
  expect(connections - before).toBeLessThanOrEqual(2);
  await client.close();
});

test('the connection of a long response is closed', async () => {
  const received = nextRequest();
  expect(await send(patient, '/endless')).toMatchObject({ responseStatus: 200 });
  const { socket } = await received;
  await expect.poll(() => socket.destroyed).toBe(true);
});

test('closing the client ends the attempts that run', async () => {
  const client = clientWith(60_000);
  const received = nextRequest();
  const hanging = send(client, '/silent');
  await received;
  await client.close();
  expect(await hanging).toMatchObject({ responseStatus: null, error: 'The request failed' });
  expect(await send(client, '/good')).toMatchObject({ responseStatus: null, error: 'The request failed' });
});

test('what a request contains', async () => {
  const received = nextRequest();
  await send(patient, '/good?query=1#fragment');
  const { method, url, headers } = await received;
  expect([method, url]).toEqual(['POST', '/good?query=1']);
  expect(headers).toEqual({
    host: origin.replace('http://', ''),
    connection: 'keep-alive',
    'content-length': '2',
    'content-type': 'application/json',
    'user-agent': 'profile-service/1.0.0',
    'webhook-id': 'event',
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  });
});
