import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../load/statistics.ts';
import { mixedStream, resultOf } from './capacity.ts';
import { atLeast, atMost, check, type SuiteResult } from './check.ts';
import { openIdle, openSlow } from './idle-and-slow.ts';
import type { Subject } from './subject.ts';

const seconds = 30;
const extraConnections = 1_000;
const usualShare = 0.5;
const overloadFactor = 3;
/** `timeoutSeconds` of the probes in the Helm chart. */
const probeTimeoutMs = 5_000;
/** Six times the default of REQUEST_QUEUE_DELAY_MS, which bounds only the wait for a database slot. The event loop is overloaded too. */
const maxAcceptedMs = 1_500;
const maxShedMs = 500;
/** In the first seconds, the queue of 1,000 requests fills, and some 6,000 connections are opened. */
const maxAtStartMs = 3_000;
/** A rejected request costs about a quarter of the CPU time of an accepted one, so that rejecting twice the capacity leaves about a third of it. */
const minAcceptedPercent = 20;

/** Three times the capacity, and 1,000 idle and 1,000 slow connections. */
export async function overload(subject: Subject, capacity: number): Promise<SuiteResult> {
  const at = (share: number, duration: number) =>
    subject.send([mixedStream(subject, { perSecond: capacity * share })], duration).then((result) => resultOf(result, 'mixed'));
  const before = await at(usualShare, 10);
  const extra = [openIdle(subject.server.port, extraConnections), openSlow(subject.server.port, extraConnections)];
  const health = pollHealth([
    `http://127.0.0.1:${subject.server.port}/health/ready`,
    `http://127.0.0.1:${subject.managementPort}/health/ready`,
  ]);
  const during = await at(overloadFactor, seconds);
  const open = extra.map((connections) => connections.open());
  const polled = await health.stop();
  const after = await at(usualShare, 5);
  for (const connections of extra) connections.stop();

  const errors = Object.entries(during.errors).map(([name, count]) => `${name}: ${count}`);
  return {
    checks: [
      check('responses other than 2xx and 503 with Retry-After', 'none', errors.join(', ') || 'none', errors.length === 0),
      atLeast('accepted requests, of the capacity', (100 * during.accepted) / seconds / capacity, minAcceptedPercent, '%'),
      atMost('99th percentile of accepted requests', during.acceptedP99, maxAtStartMs, 'ms'),
      atMost('99th percentile of accepted requests, without the first 5 seconds', during.later.acceptedP99, maxAcceptedMs, 'ms'),
      atMost('99th percentile of the 503 responses', during.shedP99, maxAtStartMs, 'ms'),
      atMost('99th percentile of the 503 responses, without the first 5 seconds', during.later.shedP99, maxShedMs, 'ms'),
      check('health checks that are not 200', '0', `${polled.failed} of ${polled.times.length}`, polled.failed === 0),
      atMost('99th percentile of the health checks', quantile(polled.times, 0.99), 1_000, 'ms'),
      atMost('longest health check', Math.max(...polled.times), probeTimeoutMs, 'ms'),
      check(
        'requests that fail right after the overload',
        '0',
        `${after.due - after.accepted} of ${after.due}`,
        after.due === after.accepted,
      ),
    ],
    figures: [
      `offered ${(during.due / seconds).toFixed(0)} requests per second, ${during.notSent} of ${during.due} not sent because all connections of the generator were busy`,
      `accepted ${(during.accepted / seconds).toFixed(0)} and rejected ${(during.shed / seconds).toFixed(0)} requests per second; ${open.join(' idle and ')} slow connections`,
      `99th percentile at ${usualShare * 100} % of the capacity: ${before.acceptedP99.toFixed(0)} ms before, ${after.acceptedP99.toFixed(0)} ms in the 5 seconds after`,
    ],
  };
}

/** Checks health all the time, each time on a new connection. */
function pollHealth(urls: readonly string[]): { stop(): Promise<{ times: number[]; failed: number }> } {
  const times: number[] = [];
  let [failed, isStopped] = [0, false];
  const poll = async (url: string) => {
    while (!isStopped) {
      const startedAt = performance.now();
      const response = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
      await response?.text();
      if (response?.status !== 200) failed += 1;
      times.push(performance.now() - startedAt);
      await pause(100);
    }
  };
  const polling = Promise.all(urls.map(poll));
  return {
    async stop() {
      isStopped = true;
      await polling;
      return { times, failed };
    },
  };
}
