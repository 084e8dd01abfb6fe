import { setTimeout as pause } from 'node:timers/promises';
import { checkReplays } from './checks/replays.ts';
import { checkStored } from './checks/stored.ts';
import type { Environment } from './environment/environment.ts';
import { alwaysAllowed, type Fault } from './fault.ts';
import type { Attempts } from './load/attempts.ts';
import type { Load } from './load/load.ts';

/** A run of a fault, which becomes a row of docs/run/figures.md. */
export type FaultResult = Awaited<ReturnType<typeof runFault>>;

/** The service has recovered after this time without a failed request, in milliseconds. */
const calmMs = 750;
const longestRecoveryMs = 60_000;
const longestReadinessMs = 20_000;
const warmUpMs = 250;

/** Runs a fault under load, and checks what callers saw and every acknowledged write. @param seconds how long the fault lasts */
export async function runFault(environment: Environment, load: Load, fault: Fault, seconds: number) {
  const { attempts } = load;
  await fault.prepare?.(environment);
  load.start();
  await pause(warmUpMs);
  attempts.reset();
  await fault.begin(environment);
  await pause(Math.max(seconds, fault.minimumSeconds ?? 0) * 1_000);
  await fault.end(environment);
  const endedAt = performance.now();
  /** What was wrong. Empty if the fault passed. */
  const problems: string[] = [];
  if (!(await hasRecovered(load, endedAt)))
    problems.push(`not recovered after 60 s: no success of ${attempts.withoutSuccessSince(endedAt).join(', ') || 'all requests'}`);
  /** Time from the end of the fault until the last failed request, in seconds. */
  const recoverySeconds = (attempts.lastFailureSince(endedAt) - endedAt) / 1_000;
  /** What callers saw from the begin of the fault until the service had recovered. */
  const outcomes = attempts.outcomes;
  await load.stop();
  await fault.restore?.(environment);

  /** The writes that were acknowledged during the fault and checked afterwards. */
  const acknowledged = load.acknowledged.splice(0);
  problems.push(
    ...unexpectedOutcomes(outcomes, fault.allowed),
    ...load.violations.splice(0),
    ...environment.instances.unexpectedExits.splice(0),
  );
  const checkWrites = async () => [
    ...(await checkReplays(environment, acknowledged)),
    // A replayed upload is stored for a moment, so the storage is checked afterwards.
    ...(await checkStored(environment, acknowledged)),
  ];
  problems.push(...(await Promise.all([checkReadiness(environment), checkWrites()])).flat());
  return { fault, outcomes, recoverySeconds, acknowledged, problems };
}

/** Returns the outcomes that the fault does not allow. */
const unexpectedOutcomes = (outcomes: Attempts['outcomes'], allowed: readonly string[]): string[] =>
  [...outcomes]
    .filter(([outcome]) => !alwaysAllowed.includes(outcome) && !allowed.includes(outcome))
    .map(([outcome, { count, longestMs }]) => `callers saw "${outcome}" ${count} times, after up to ${Math.round(longestMs)} ms`);

/** Waits until every writer has succeeded on every instance, and no request has failed for a while. Returns false if that takes too long. */
async function hasRecovered({ attempts }: Load, endedAt: number): Promise<boolean> {
  while (performance.now() - endedAt < longestRecoveryMs) {
    const isCalm = performance.now() - attempts.lastFailureSince(endedAt) > calmMs;
    if (isCalm && attempts.withoutSuccessSince(endedAt).length === 0) return true;
    await pause(50);
  }
  return false;
}

/** Waits until every instance is ready. A health check can be up to 5 seconds old. */
async function checkReadiness({ instances }: Environment): Promise<string[]> {
  const until = performance.now() + longestReadinessMs;
  for (;;) {
    const states = await Promise.all(instances.urls.map((_, index) => instances.readiness(index)));
    const problems = states.flatMap((status, index) =>
      status === 200 ? [] : [`instance ${index + 1} is not ready afterwards: ${status}`],
    );
    if (problems.length === 0 || performance.now() > until) return problems;
    await pause(200);
  }
}
