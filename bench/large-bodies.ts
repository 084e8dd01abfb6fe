import { randomUUID } from 'node:crypto';
import { Agent, request as startRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from './load/statistics.ts';
import { readOptions } from './options.ts';
import { startEnvironment } from './servers/environment.ts';
import { asLargestAdmin, asOnePageAdmin, asUsualAdmin } from './work/callers.ts';
import { headersAndBody, type HttpRequest } from './work/encode.ts';
import { usualOrganization } from './work/reads.ts';

/** `pnpm --filter @profile-service/bench bench:large-bodies`: how long a read of one tenant waits while another tenant sends 60 large requests, or requests for large pages, at once. */
const size = 'small';
const atOnce = 60;
const mebibyte = 2 ** 20;

const numbers = (count: number) => Array.from({ length: count }, () => 1).join();
const keys = (count: number) => Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join();
const address = `/api/organization-addresses/${randomUUID()}`;
const organization = `/api/organizations/${randomUUID()}`;
const kinds: [name: string, method: 'POST' | 'PUT', path: string, body: string][] = [
  ['1 MB of numbers in an unknown field', 'PUT', address, `{"x":[${numbers(500_000)}]}`],
  ['64 KB of numbers in an unknown field', 'PUT', address, `{"x":[${numbers(32_000)}]}`],
  ['500,000 numbers in contacts', 'POST', '/api/organizations', `{"contacts":[${numbers(500_000)}]}`],
  ['300,000 numbers in metadata', 'PUT', organization, `{"metadata":{"x":[${numbers(300_000)}]}}`],
  ['59,000 numbers in metadata', 'PUT', organization, `{"metadata":{"x":[${numbers(59_000)}]}}`],
  ['50,000 keys in metadata', 'PUT', organization, `{"metadata":{${keys(50_000)}}}`],
  ['59,000 levels', 'PUT', organization, `{"metadata":${'['.repeat(59_000)}${']'.repeat(59_000)}}`],
  ['a text of 500 KB', 'PUT', organization, `{"name":"${'x'.repeat(mebibyte / 2 - 100)}"}`],
  [
    'a batch of 16 calls with 59,000 numbers',
    'POST',
    `/trpc/${Array.from({ length: 16 }, () => 'organizations.update').join()}?batch=1`,
    batch(),
  ],
];

const organizations = '/api/organizations?limit=1';
const record = `/api/organizations/${usualOrganization(size, 0)}`;
const head = 12 * 1024;
/** Requests whose head is nearly as large as it may be, and forms with many parts. */
const others: [name: string, method: 'GET' | 'POST', path: string, headers: Record<string, string>, form?: string][] = [
  ['6,000 query parameters', 'GET', `${organizations}${'&a'.repeat(head / 2)}`, {}],
  ['12 KB of percent-encoded characters in a filter', 'GET', `${organizations}&name=${'%C3%A3'.repeat(head / 6)}`, {}],
  ['12 KB of percent-encoded characters in a path', 'GET', `/api/organizations/${'%C3%A3'.repeat(head / 6)}`, {}],
  ['2,400 tags in If-None-Match', 'GET', record, { 'if-none-match': Array.from({ length: head / 5 }, () => '"1"').join(', ') }],
  ['6,000 cookies', 'GET', organizations, { cookie: 'a;'.repeat(head / 2) }],
  [
    '2,400 addresses in X-Forwarded-For',
    'GET',
    organizations,
    { 'x-forwarded-for': Array.from({ length: head / 5 }, () => '::1').join(', ') },
  ],
  ['12 KB of traceparent and tracestate', 'GET', organizations, { traceparent: '0'.repeat(head / 2), tracestate: 'a=b,'.repeat(head / 8) }],
  ['1 MB of parts of a form without headers', 'POST', '/api/attachments', {}, '--b\r\n\r\n\r\n'.repeat(mebibyte / 9)],
  ['1 MB of parts of a form without a name', 'POST', '/api/attachments', {}, '--b\r\nx:y\r\n\r\n\r\n'.repeat(mebibyte / 14)],
];

await using disposables = new AsyncDisposableStack();
const environment = await startEnvironment(readOptions([]), disposables, console.error);
const world = await environment.worldOf(size);
const { port } = await environment.serverOf('service', size);
const agent = new Agent({ keepAlive: true });
disposables.defer(() => agent.destroy());

await readsDuring(() => pause(1_000));
print('no other requests', 'none', await readsDuring(() => pause(1_000)));
for (const [name, method, path, body] of kinds)
  await measure(name, { ...asLargestAdmin(world), method, path, body: { type: 'application/json', bytes: Buffer.from(body) } });
for (const [name, method, path, headers, form] of others) {
  const body = form && { body: { type: 'multipart/form-data; boundary=b', bytes: Buffer.from(form) } };
  await measure(name, { ...asUsualAdmin(world, 0), method, path, headers, ...body });
}
// Empty objects take the most memory.
const metadata = { x: Array.from({ length: 21_000 }, () => ({})) };
for (let n = 0; n < 200; n += 1)
  await send({ ...asUsualAdmin(world, n), method: 'PUT', path: `/api/organizations/${usualOrganization(size, n)}`, body: { metadata } });
const page: HttpRequest = { ...asUsualAdmin(world, 0), method: 'GET', path: '/api/organizations?limit=100' };
await measure('pages of 100 organizations with 64 KB of metadata', page);

async function measure(name: string, large: HttpRequest): Promise<void> {
  const statuses = new Set<number>();
  const times = await readsDuring(() =>
    Promise.all(Array.from({ length: atOnce }, () => send(large).then((status) => statuses.add(status)))),
  );
  print(name, [...statuses].join(', '), times);
  await pause(500);
}

function batch(): string {
  return `{"0":{"id":"${randomUUID()}","metadata":{"x":[${numbers(59_000)}]}}}`;
}

function print(name: string, statuses: string, times: number[]): void {
  console.log(`| ${name} | ${statuses} | ${quantile(times, 0.5).toFixed(0)} ms | ${Math.max(...times).toFixed(0)} ms |`);
}

/** Repeats a read of the small tenant until the work has completed. Returns the durations in milliseconds. */
async function readsDuring(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let done = false;
  const working = work().finally(() => (done = true));
  while (!done) {
    const startedAt = performance.now();
    await send({ ...asOnePageAdmin(world), method: 'GET', path: '/api/me/permissions' });
    times.push(performance.now() - startedAt);
  }
  await working;
  return times;
}

/** Sends a request. Returns the status of the response. */
function send(wanted: HttpRequest): Promise<number> {
  const { headers, content } = headersAndBody(wanted);
  const { method, path } = wanted;
  return new Promise((resolve, reject) => {
    const sent = startRequest({ port, host: '127.0.0.1', agent, method, path, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(content);
  });
}
