import fc from 'fast-check';
import { commands } from './commands.ts';
import type { Options } from './options.ts';
import { Tally } from './tally.ts';
import { plans } from './world/plan.ts';
import type { Stage } from './world/stage.ts';
import { makeWorld } from './world/world.ts';

/** What came of it. */
export interface Game {
  tally: Tally;
  seconds: number;
  /** The seeds of the worlds. */
  seeds: { first: number; last: number };
  /** fast-check's text on the counterexample; undefined where there is none. */
  failure: { error: unknown; report: string } | undefined;
}

/** Longest search for a smaller counterexample. */
const shrinkingMs = 60_000;
const tellEveryMs = 30_000;

/** Plays world after world, each of a seed of its own, until the time is over or one of them fails. */
export async function play(stage: Stage, { minutes, steps, seed, path, replay, shrink }: Options): Promise<Game> {
  const began = performance.now();
  const tally = new Tally();
  const game: Game = { tally, seconds: 0, seeds: { first: seed, last: seed }, failure: undefined };
  let failedAt: number | undefined;
  const property = fc.asyncProperty(plans, commands(replay), async (plan, commandsOfWorld) => {
    if (failedAt !== undefined && performance.now() - failedAt > shrinkingMs) return;
    try {
      await fc.asyncModelRun(async () => ({ model: {}, real: await makeWorld(stage, plan, tally) }), commandsOfWorld);
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });

  let told = began;
  do {
    game.seeds.last = seed + tally.worlds;
    const details = await fc.check(property, { seed: game.seeds.last, numRuns: 1, endOnFailure: !shrink, ...(path ? { path } : {}) });
    tally.worlds += 1;
    if (details.failed) game.failure = { error: details.errorInstance, report: (await fc.asyncDefaultReportMessage(details)) ?? '' };
    game.seconds = (performance.now() - began) / 1000;
    if (performance.now() - told > tellEveryMs) {
      told = performance.now();
      console.log(`${Math.round(game.seconds)} s: ${tally.worlds} worlds, ${tally.steps} steps, seed ${game.seeds.last}`);
    }
  } while (!game.failure && path === undefined && game.seconds < minutes * 60 && tally.steps < steps);
  return game;
}
