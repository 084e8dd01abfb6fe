import fc from 'fast-check';
import { commands } from './commands.ts';
import { Counters } from './counters.ts';
import { readJournal } from './journal.ts';
import type { Options } from './options.ts';
import { Random } from './random.ts';
import { type Plan, plans } from './world/plan.ts';
import type { Environment } from './world/environment.ts';
import { makeWorld, type World } from './world/world.ts';

export interface RunResult {
  counters: Counters;
  seconds: number;
  /** Seeds of the worlds. */
  seeds: { first: number; last: number };
  /** The counterexample, with fast-check's report; undefined if there is none. */
  failure: { error: unknown; report: string; seed: number; path: string | null } | undefined;
}

/** Longest search for a smaller counterexample. */
const shrinkingMs = 60_000;
const progressEveryMs = 30_000;

async function startWorld(environment: Environment, plan: Plan, counters: Counters): Promise<World> {
  const world = await makeWorld(environment, plan, counters);
  await readJournal(world, new Random(0));
  return world;
}

/** Runs worlds one after the other, each with its own seed, until the time is over, one fails, or the run is interrupted. */
export async function runWorlds(
  environment: Environment,
  { minutes, steps, seed, path, replay, shrink }: Options,
  interruption: AbortSignal,
): Promise<RunResult> {
  const began = performance.now();
  const counters = new Counters();
  const result: RunResult = { counters, seconds: 0, seeds: { first: seed, last: seed }, failure: undefined };
  let failedAt: number | undefined;
  const property = fc.asyncProperty(plans, commands(replay), async (plan, commandsOfWorld) => {
    if (interruption.aborted || (failedAt !== undefined && performance.now() - failedAt > shrinkingMs)) return;
    try {
      await fc.asyncModelRun(async () => ({ model: {}, real: await startWorld(environment, plan, counters) }), commandsOfWorld);
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });

  let reportedAt = began;
  do {
    result.seeds.last = seed + counters.worlds;
    const details = await fc.check(property, { seed: result.seeds.last, numRuns: 1, endOnFailure: !shrink, ...(path ? { path } : {}) });
    counters.worlds += 1;
    if (details.failed) {
      const report = (await fc.asyncDefaultReportMessage(details)) ?? '';
      result.failure = { error: details.errorInstance, report, seed: result.seeds.last, path: details.counterexamplePath };
    }
    result.seconds = (performance.now() - began) / 1000;
    if (performance.now() - reportedAt > progressEveryMs) {
      reportedAt = performance.now();
      console.log(`${Math.round(result.seconds)} s: ${counters.worlds} worlds, ${counters.steps} steps, seed ${result.seeds.last}`);
    }
  } while (!result.failure && path === undefined && result.seconds < minutes * 60 && counters.steps < steps && !interruption.aborted);
  return result;
}
