import { median } from '../load/statistics.ts';
import { allTenants, resultOf } from './capacity.ts';
import { atMost, check, type Check, type SuiteResult } from './check.ts';
import type { Stream, StreamResult } from './stream.ts';
import type { Subject } from './subject.ts';

/**
 * The usual load of all tenants together. It is 40 % of the capacity when one of them sends ten times its load. With a higher load, PostgreSQL and the load
 * generator delay each other if they share a processor.
 */
const shareOfCapacity = 0.25;
const rounds = 9;
const seconds = 5;
const maxRatio = 2;

/** One tenant with ten times the load of the others, or with lists of 100,000 rows: the 99th percentile of the others must not double. */
export async function fairness(subject: Subject, capacity: number): Promise<SuiteResult> {
  subject.preferGenerator();
  const tenants = allTenants(subject);
  const perTenant = (shareOfCapacity * capacity) / tenants.length;
  const [heavy = 0, ...others] = tenants;
  const victims: Stream = { name: 'others', traffic: 'mixed', tenants: others, pace: { perSecond: perTenant * others.length } };
  const mixedOf = (factor: number): Stream => ({
    name: 'heavy',
    traffic: 'mixed',
    tenants: [heavy],
    pace: { perSecond: perTenant * factor },
  });
  const lists: Stream = { name: 'heavy', traffic: 'long list', tenants: [heavy], pace: { connections: 1 } };
  return merge([
    await compare(subject, victims, '10 times the load', mixedOf(1), mixedOf(10)),
    await compare(subject, victims, 'lists of 100,000 rows', mixedOf(1), lists),
  ]);
}

/** Measures the other tenants alternately: while the heavy tenant sends the usual load, and while it sends more. */
async function compare(subject: Subject, victims: Stream, name: string, usual: Stream, more: Stream): Promise<SuiteResult> {
  const run = async (heavy: Stream) => {
    const result = await subject.send([victims, heavy], seconds);
    return { others: resultOf(result, 'others'), heavy: resultOf(result, 'heavy') };
  };
  const results: { usual: Awaited<ReturnType<typeof run>>; more: Awaited<ReturnType<typeof run>> }[] = [];
  await run(more);
  while (results.length < rounds) results.push({ usual: await run(usual), more: await run(more) });
  const p99 = (side: 'usual' | 'more') => median(results.map((round) => round[side].others.acceptedP99));
  const failed = results
    .flatMap((round) => [round.usual.others, round.more.others])
    .reduce((total, { due, accepted }) => total + due - accepted, 0);
  const checks: Check[] = [
    atMost(`${name}: 99th percentile of the other tenants, against the usual load`, p99('more') / p99('usual'), maxRatio, '', 2),
    check(`${name}: requests of the other tenants without a response 2xx`, '0', String(failed), failed === 0),
  ];
  return {
    checks,
    figures: [
      `${name}: the others' 99th percentile is ${p99('usual').toFixed(1)} ms with the usual load and ${p99('more').toFixed(1)} ms with more; of the heavy tenant ${describe(results.map((round) => round.more.heavy))}`,
    ],
  };
}

function describe(results: readonly StreamResult[]): string {
  const perSecond = (of: (result: StreamResult) => number) => (median(results.map(of)) / seconds).toFixed(1);
  return `${perSecond(({ accepted }) => accepted)} requests per second were accepted and ${perSecond(({ shed }) => shed)} rejected`;
}

const merge = (results: readonly SuiteResult[]): SuiteResult => ({
  checks: results.flatMap(({ checks }) => checks),
  figures: results.flatMap(({ figures }) => figures),
});
