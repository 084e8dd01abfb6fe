import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../load/statistics.ts';
import { asLargestAdmin, asUsualAdmin } from '../../work/callers.ts';
import { headersAndBody, type HttpRequest } from '../../work/encode.ts';
import { usualOrganization } from '../../work/reads.ts';
import { memoryOf } from '../memory.ts';
import { send, type Subject } from './subject.ts';

const [streams, writesPerSecond, seconds] = [200, 100, 20];
/** How many of the streams get the events of the writes. */
const readers = 50;

/** Opens streams, changes records of one tenant, and measures the time from the response of a change to its event on a stream, in milliseconds. */
export async function measureStreams(subject: Subject) {
  const { world, server } = subject;
  const acknowledgedAt = new Map<string, number>();
  const latencies: number[] = [];
  const stopping = new AbortController();
  const before = memoryOf(server.pid, 'VmRSS');
  const running = Array.from({ length: streams }, (_, n) => read(n < readers ? asUsualAdmin(world, n) : asLargestAdmin(world)));
  await pause(3_000);
  const bytesPerStream = (memoryOf(server.pid, 'VmRSS') - before) / streams;
  const startedAt = performance.now();
  const changes: Promise<void>[] = [];
  for (let write = 0; write < writesPerSecond * seconds; write += 1) {
    await pause(Math.max(0, startedAt + (write * 1000) / writesPerSecond - performance.now()));
    changes.push(change(write));
  }
  await Promise.all(changes);
  await pause(2_000);
  stopping.abort();
  await Promise.all(running);
  return {
    streams,
    writesPerSecond,
    readers,
    bytesPerStream,
    events: latencies.length,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };

  async function change(write: number): Promise<void> {
    const alias = `write ${write}`;
    await send(subject, {
      ...asUsualAdmin(world, write),
      method: 'PUT',
      path: `/api/organizations/${usualOrganization('small', write)}`,
      body: { alias },
    });
    acknowledgedAt.set(alias, performance.now());
  }
  async function read(credentials: Pick<HttpRequest, 'token' | 'tenant'>): Promise<void> {
    const { headers } = headersAndBody({ ...credentials, method: 'GET', path: '' });
    const url = `http://127.0.0.1:${server.port}/api/events/stream?types=organization.updated`;
    try {
      const { body } = await fetch(url, { headers, signal: stopping.signal });
      for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
        const now = performance.now();
        // An event that comes before the response of its change counts as 0.
        for (const [, alias = ''] of chunk.matchAll(/"alias": ?"(write \d+)"/g))
          latencies.push(Math.max(0, now - (acknowledgedAt.get(alias) ?? now)));
      }
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  }
}
