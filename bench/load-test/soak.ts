import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../load/statistics.ts';
import { mixedStream, resultOf } from './capacity.ts';
import { atMost, check, type SuiteResult } from './check.ts';
import { openInspector } from './inspector.ts';
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
/** In this part of the time caches fill, and V8 optimizes the code. */
const warmUpShare = 1 / 3;
const mebibyte = 2 ** 20;

/** Mixed requests at 70 % of the capacity: no error, and no growth of memory, handles or connections. */
export async function soak(subject: Subject, capacity: number, minutes: number): Promise<SuiteResult> {
  const perSecond = capacity * shareOfCapacity;
  const streams = [mixedStream(subject, { perSecond })];
  const monitor = await monitorResources(subject, sampleMs);
  const inspector = await openInspector(subject.server.pid, subject.inspectorPort);
  /** The resources without load and without garbage, which V8 lets grow by some 40 MiB for minutes. */
  const readAtRest = async () => {
    await pause(settleMs);
    await inspector.collectGarbage();
    return monitor.read();
  };
  const results: StreamResult[] = [];
  const sendWindows = async (count: number) => {
    for (let window = 0; window < count; window += 1)
      results.push(resultOf(await subject.send(streams, windowSeconds, connections), 'mixed'));
  };
  const windows = Math.max(3, Math.round((minutes * 60) / windowSeconds));
  const warmUpWindows = Math.round(windows * warmUpShare);
  await sendWindows(warmUpWindows);
  const before = await readAtRest();
  const samplesBefore = monitor.samples.length;
  await sendWindows(windows - warmUpWindows);
  const after = await readAtRest();
  inspector.close();
  await monitor.stop();

  const sum = (of: (result: StreamResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const [due, notSent, accepted] = [sum((result) => result.due), sum((result) => result.notSent), sum((result) => result.accepted)];
  const sent = due - notSent;
  const errors = results.flatMap((result) => Object.entries(result.errors).map(([name, count]) => `${name}: ${count}`));
  const most = (samples: readonly Resources[], name: keyof Resources) => Math.max(...samples.map((sample) => sample[name]));
  const mostConnections = {
    before: most(monitor.samples.slice(0, samplesBefore), 'databaseConnections'),
    after: most(monitor.samples.slice(samplesBefore), 'databaseConnections'),
  };
  return {
    checks: [
      check(
        'requests without a response 2xx',
        '0',
        `${sent - accepted} of ${sent}${errors.map((error) => `, ${error}`).join('')}`,
        sent === accepted,
      ),
      atMost('growth of resident memory', (after.resident - before.resident) / mebibyte, 8, 'MiB', 1),
      atMost('growth of the heap', (after.heap - before.heap) / mebibyte, 4, 'MiB', 1),
      atMost('growth of open files and sockets', after.handles - before.handles, 4, ''),
      atMost('growth of the largest number of database connections', mostConnections.after - mostConnections.before, 2, ''),
    ],
    figures: [
      `${(windows * windowSeconds) / 60} minutes at ${perSecond.toFixed(0)} requests per second; ${notSent} of ${due} were left out, because all connections waited for a response`,
      `median duration ${median(results.map(({ acceptedP50 }) => acceptedP50)).toFixed(1)} ms, 99th percentile ${median(results.map(({ acceptedP99 }) => acceptedP99)).toFixed(1)} ms (medians of windows of ${windowSeconds} s)`,
      `growth is measured without load and after a garbage collection, from minute ${(warmUpWindows * windowSeconds) / 60} to the end`,
      `resident memory ${(after.resident / mebibyte).toFixed(0)} MiB after the garbage collection, at most ${(most(monitor.samples, 'resident') / mebibyte).toFixed(0)} MiB under load; at most ${most(monitor.samples, 'databaseConnections')} database connections`,
    ],
  };
}
