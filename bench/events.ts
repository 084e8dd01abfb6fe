import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { quantile } from './load/statistics.ts';
import { readOptions } from './options.ts';
import { startEnvironment } from './servers/environment.ts';
import { asGlobal, asLargestAdmin, asOnePageAdmin, asUsualAdmin } from './work/callers.ts';
import { headersAndBody, type HttpRequest } from './work/encode.ts';
import { usualOrganization } from './work/reads.ts';

/** `pnpm --filter @profile-service/bench bench:events [number of events]`: pages of events, and the latency and memory of 200 streams. */
const size = 'small';
const others = Number(process.argv[2] ?? 1_000_000);
const [streams, writesPerSecond, seconds] = [200, 100, 20];

await using disposables = new AsyncDisposableStack();
const environment = await startEnvironment(readOptions([]), disposables, console.error);
const world = await environment.worldOf(size);
const server = await environment.startAnother('service', size, { settings: { EVENT_STREAMS_PER_TENANT: '0' } });
disposables.defer(() => server.stop());
const address = `http://127.0.0.1:${server.port}`;
const database = new pg.Client({ connectionString: await environment.databaseOf(size) });
await database.connect();
disposables.defer(() => database.end());

await addEvents();
await pages('page of 1,000 events of all tenants', { ...asGlobal(world), method: 'GET', path: '/api/events?limit=1000' });
await pages(`page of a quiet tenant among ${others} events of others`, { ...asOnePageAdmin(world), method: 'GET', path: '/api/events' });
await measureStreams();

function residentBytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Adds events of a tenant that has no other records, as copies of one event. */
async function addEvents(): Promise<void> {
  await send({ ...asGlobal(world), method: 'PUT', path: `/api/organizations/${usualOrganization(size, 0)}`, body: { alias: 'copied' } });
  const batch = 100_000;
  for (let done = 0; done < others; done += batch) {
    await database.query(
      `insert into journal (id, occurred_at, actor_kind, operation, tenant_id, organization_id, record_type, record_id, former, state, epoch, transaction_id, sequence)
       select gen_random_uuid(), occurred_at, actor_kind, operation, gen_random_uuid(), gen_random_uuid(), record_type, record_id, former, state, epoch,
         transaction_id, nextval('journal_sequence')
       from (select * from journal where transaction_id is not null order by occurred_at desc limit 1) as latest, generate_series(1, $1)`,
      [Math.min(batch, others - done)],
    );
  }
  await database.query('vacuum analyze journal');
}

/** Prints how long pages at random positions take. */
async function pages(name: string, request: HttpRequest): Promise<void> {
  const { rows } = await database.query<{ cursor: string }>(
    `select epoch || '.' || transaction_id || '.' || sequence as cursor from journal
     where transaction_id is not null and sequence > (select max(sequence) from journal) * 0.05 and sequence < (select max(sequence) from journal) * 0.9
     order by random() limit 60`,
  );
  const times: number[] = [];
  for (const { cursor } of rows) {
    const startedAt = performance.now();
    await send({
      ...request,
      path: `${request.path}${request.path.includes('?') ? '&' : '?'}cursor=${Buffer.from(cursor).toString('base64url')}`,
    });
    times.push(performance.now() - startedAt);
  }
  const measured = times.slice(10);
  console.log(`${name}: median ${quantile(measured, 0.5).toFixed(1)} ms, p95 ${quantile(measured, 0.95).toFixed(1)} ms`);
}

/** Opens the streams, changes records of one tenant, and prints how long events take from the response of the change to each stream. */
async function measureStreams(): Promise<void> {
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  const before = residentBytes();
  const readers = [
    ...Array.from({ length: 50 }, (_, n) => asUsualAdmin(world, n)),
    ...Array.from({ length: streams - 50 }, () => asLargestAdmin(world)),
  ];
  for (const reader of readers) void read(reader);
  await pause(3_000);
  console.log(`memory per stream: ${((residentBytes() - before) / streams / 1024).toFixed(0)} KiB`);
  const startedAt = performance.now();
  for (let write = 0; write < writesPerSecond * seconds; write += 1) {
    await pause(Math.max(0, startedAt + (write * 1000) / writesPerSecond - performance.now()));
    const alias = `write ${write}`;
    void send({
      ...asUsualAdmin(world, write),
      method: 'PUT',
      path: `/api/organizations/${usualOrganization(size, write)}`,
      body: { alias },
    }).then(() => sentAt.set(alias, performance.now()));
  }
  await pause(2_000);
  const ms = (share: number) => `${quantile(latencies, share).toFixed(0)} ms`;
  console.log(`${latencies.length} events on ${streams} streams at ${writesPerSecond} writes/s: p50 ${ms(0.5)}, p99 ${ms(0.99)}`);

  async function read(credentials: Pick<HttpRequest, 'token' | 'tenant'>): Promise<void> {
    const { headers } = headersAndBody({ ...credentials, method: 'GET', path: '' });
    const { body } = await fetch(`${address}/api/events/stream?types=organization.updated`, { headers });
    for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const now = performance.now();
      for (const [, alias = ''] of chunk.matchAll(/"alias": "(write \d+)"/g)) {
        const sent = sentAt.get(alias);
        latencies.push(sent === undefined ? 0 : Math.max(0, now - sent));
      }
    }
  }
}

async function send(request: HttpRequest): Promise<void> {
  const { headers, content } = headersAndBody(request);
  const { host: _host, 'content-length': _length, ...sent } = headers as Record<string, string>;
  const response = await fetch(address + request.path, {
    method: request.method,
    headers: sent,
    ...(content.length > 0 && { body: new Uint8Array(content) }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${request.method} ${request.path}: ${response.status}`);
}
