import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../load/statistics.ts';
import { mixedStream, resultOf } from './capacity.ts';
import { atMost, check, type SuiteResult } from './check.ts';
import { monitorResources, type Resources } from './resources.ts';
import type { StreamResult } from './stream.ts';
import type { Subject } from './subject.ts';

const shareOfCapacity = 0.7;
const sampleMs = 2_000;
const windowSeconds = 30;
/** What cannot be sent on these is left out: the processors of a shared machine can stand still for a moment, and the rest would then be an overload. */
const connections = 200;
/** After each window, the connections of the generator are closed. */
const settleMs = 1_000;
const mebibyte = 2 ** 20;

/** The first third warms up: caches fill, and V8 optimizes and sizes its heap. */
function laterThirds(samples: readonly Resources[]) {
  const third = Math.floor(samples.length / 3);
  return { middle: samples.slice(third, 2 * third), last: samples.slice(2 * third) };
}

/** Mixed requests at 70 % of the capacity: no error, and no growth of memory, handles or connections. */
export async function soak(subject: Subject, capacity: number, minutes: number): Promise<SuiteResult> {
  const perSecond = capacity * shareOfCapacity;
  const streams = [mixedStream(subject, { perSecond })];
  const monitor = await monitorResources(subject, sampleMs);
  const before = await monitor.read();
  const windows = Math.max(3, Math.round((minutes * 60) / windowSeconds));
  const results: StreamResult[] = [];
  const resting: Resources[] = [];
  for (let window = 0; window < windows; window += 1) {
    results.push(resultOf(await subject.send(streams, windowSeconds, connections), 'mixed'));
    await pause(settleMs);
    resting.push(await monitor.read());
  }
  await monitor.stop();

  const sum = (of: (result: StreamResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const [due, notSent, accepted] = [sum((result) => result.due), sum((result) => result.notSent), sum((result) => result.accepted)];
  const sent = due - notSent;
  const errors = results.flatMap((result) => Object.entries(result.errors).map(([name, count]) => `${name}: ${count}`));
  const growth = (samples: readonly Resources[], of: (samples: readonly Resources[]) => number) => {
    const { middle, last } = laterThirds(samples);
    return of(last) - of(middle);
  };
  const { last } = laterThirds(monitor.samples);
  const least = (samples: readonly Resources[]) => Math.min(...samples.map(({ heap }) => heap));
  const handles = (samples: readonly Resources[]) => median(samples.map((sample) => sample.handles));
  const resident = (samples: readonly Resources[]) => median(samples.map((sample) => sample.resident));
  const mostConnections = (samples: readonly Resources[]) => Math.max(...samples.map(({ databaseConnections }) => databaseConnections));
  return {
    checks: [
      check(
        'requests without a response 2xx',
        '0',
        `${sent - accepted} of ${sent}${errors.map((error) => `, ${error}`).join('')}`,
        sent === accepted,
      ),
      atMost(
        'growth of resident memory, median of the last third against the middle third',
        growth(monitor.samples, resident) / mebibyte,
        16,
        'MiB',
        1,
      ),
      atMost('growth of the smallest heap, last third against the middle third', growth(monitor.samples, least) / mebibyte, 4, 'MiB', 1),
      atMost(
        'growth of open files and sockets between the windows, median of the last third against the middle third',
        growth(resting, handles),
        2,
        '',
      ),
      atMost('open files and sockets after the load, more than before', (resting.at(-1)?.handles ?? Infinity) - before.handles, 8, ''),
      atMost('growth of database connections, last third against the middle third', growth(monitor.samples, mostConnections), 0, ''),
    ],
    figures: [
      `${(windows * windowSeconds) / 60} minutes at ${perSecond.toFixed(0)} requests per second; ${notSent} of ${due} were left out, because all connections waited for a response`,
      `median duration ${median(results.map(({ acceptedP50 }) => acceptedP50)).toFixed(1)} ms, 99th percentile ${median(results.map(({ acceptedP99 }) => acceptedP99)).toFixed(1)} ms (medians of windows of ${windowSeconds} s)`,
      `memory ${(resident(last) / mebibyte).toFixed(0)} MiB, smallest heap ${(least(last) / mebibyte).toFixed(0)} MiB, ${mostConnections(last)} database connections`,
    ],
  };
}
