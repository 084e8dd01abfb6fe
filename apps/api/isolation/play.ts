import fc from 'fast-check';
import { commands } from './commands.ts';
import type { Tally } from './examiner.ts';
import type { Options } from './options.ts';
import { plans } from './world/plan.ts';
import type { Stage } from './world/stage.ts';
import { makeWorld, type World } from './world/world.ts';

/** What came of it. */
export interface Game {
  tally: Tally;
  worlds: number;
  steps: number;
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
export async function play(stage: Stage, { minutes, seed, path, replay, shrink }: Options): Promise<Game> {
  const began = performance.now();
  const game: Game = { tally: new Map(), worlds: 0, steps: 0, seconds: 0, seeds: { first: seed, last: seed }, failure: undefined };
  console.log(`seed ${seed}`);
  let failedAt: number | undefined;
  const property = fc.asyncProperty(plans, commands(replay), async (plan, steps) => {
    if (failedAt !== undefined && performance.now() - failedAt > shrinkingMs) return;
    try {
      await fc.asyncModelRun(async () => ({ model: {}, real: await makeWorld(stage, plan, game.tally) }), counted(steps, game));
      game.worlds += 1;
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });

  let told = began;
  do {
    game.seeds.last = seed + game.worlds;
    const details = await fc.check(property, { seed: game.seeds.last, numRuns: 1, endOnFailure: !shrink, ...(path ? { path } : {}) });
    if (details.failed) {
      game.failure = { error: details.errorInstance, report: (await fc.asyncDefaultReportMessage(details)) ?? '' };
    }
    game.seconds = (performance.now() - began) / 1000;
    if (performance.now() - told > tellEveryMs) {
      told = performance.now();
      console.log(`${Math.round(game.seconds)} s: ${game.worlds} worlds, ${game.steps} steps, seed ${game.seeds.last}`);
    }
  } while (!game.failure && path === undefined && game.seconds < minutes * 60);
  return game;
}

/** The same commands, with each step counted. */
function* counted(steps: Iterable<fc.AsyncCommand<object, World, false>>, game: Game): Generator<fc.AsyncCommand<object, World, false>> {
  for (const step of steps) {
    game.steps += 1;
    yield step;
  }
}
