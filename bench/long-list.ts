import { setTimeout as pause } from 'node:timers/promises';
import { sizes, tenant } from './data/size.ts';
import { tenantId } from './data/tables.ts';
import { quantile } from './load/statistics.ts';
import { readOptions } from './options.ts';
import { startEnvironment } from './servers/environment.ts';
import { asLargestAdmin, asOnePageAdmin } from './work/callers.ts';
import { headersAndBody, type HttpRequest } from './work/encode.ts';

/** `pnpm --filter @profile-service/bench bench:long-list`: how long a read of one tenant waits while another tenant lists 100,000 organizations. */
const size = 'quick-large';
const rounds = 5;

await using disposables = new AsyncDisposableStack();
const environment = await startEnvironment(readOptions([]), disposables, console.error);
const world = await environment.worldOf(size);
const { port } = await environment.serverOf('service', size);
const tenantOfList = tenantId(tenant.largest, sizes[size]);
const lists = [
  `/api/tenants/${tenantOfList}/organizations`,
  `/trpc/tenants.organizations?input=${encodeURIComponent(JSON.stringify({ tenantId: tenantOfList }))}`,
];
for (const path of lists) await measure({ ...asLargestAdmin(world), method: 'GET', path });

/** Measures reads of the small tenant without and during the long list, and prints their durations. */
async function measure(list: HttpRequest): Promise<void> {
  // The first calls compile code and open connections.
  await send(list);
  await readsDuring(() => pause(1_000));
  const alone = await readsDuring(() => pause(2_000));
  const during: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    during.push(...(await readsDuring(async () => void (bytes = await send(list)))));
    await pause(200);
  }
  const figures = (times: number[]) =>
    `median ${quantile(times, 0.5).toFixed(1)} ms, 99th percentile ${quantile(times, 0.99).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`;
  console.log(
    `${list.path.split('?')[0]} (${(bytes / 1e6).toFixed(1)} MB)\n  read alone:       ${figures(alone)}\n  read during list: ${figures(during)}`,
  );
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

/** Sends a request. Returns the bytes of the response. */
async function send(request: HttpRequest): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${request.path}`, { headers: headersAndBody(request).headers });
  if (response.status !== 200) throw new Error(`${request.path} has the status ${response.status}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  return bytes;
}
