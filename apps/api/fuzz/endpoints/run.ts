import { endpoints } from '@profile-service/contracts';
import type { Options } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import type { World } from '../world/world.ts';
import { Game } from './play.ts';

/** Requests of a endpoint between two tendings of the world. */
const perRound = 12;
/** Endpoints that are played at the same time. */
const atOnce = 4;
/** After so many requests of a endpoint one of them has succeeded by far. */
const enough = 400;
const tellEveryMs = 30_000;

/** Plays all endpoints, round after round, until the time is over, there were enough requests, or nobody wants more. */
export async function fuzzEndpoints(world: World, options: Options, interruption: AbortSignal): Promise<Outcome> {
  const { endpointMinutes, requests, seed, endpoint } = options;
  const names = endpoints.map(({ name }) => name).filter((name) => endpoint === undefined || name === endpoint);
  if (names.length === 0) throw new Error(`The contract has no endpoint ${endpoint}`);
  const game = new Game(world);
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const isOver = (): boolean => interruption.aborted || seconds() > endpointMinutes * 60 || game.tally.requests >= requests;

  let told = began;
  for (let round = 0; !isOver(); round += 1) {
    await world.tend();
    // A endpoint that has failed has been heard of.
    const left = names.filter((name) => !game.failures.has(name)).entries();
    if (game.failures.size === names.length) break;
    const playNext = async (): Promise<void> => {
      for (const [place, name] of left) {
        if (isOver()) return;
        await game.play(name, perRound, (seed + round * names.length + place) | 0);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, playNext));
    if (performance.now() - told > tellEveryMs) {
      told = performance.now();
      console.log(`${seconds().toFixed(0)} s: ${game.tally.requests} requests, ${game.failures.size} endpoints failed`);
    }
  }

  console.log(`\nrows, seed ${seed}: ${game.tally.requests} requests (${(game.tally.requests / seconds()).toFixed(0)}/s)`);
  console.log(`by caller: ${game.tally.callers()}\nby status: ${game.tally.statuses()}`);
  const unanswered = game.tally.requests > names.length * enough ? names.filter((name) => !game.tally.successes.has(name)) : [];
  for (const name of unanswered) game.failures.set(name, `${name} was never answered with success`);
  for (const text of game.failures.values()) console.log(`\n${text}`);
  const figures = `seed ${seed}, ${game.tally.requests} requests in ${(seconds() / 60).toFixed(0)} min`;
  return { passed: names.length - game.failures.size, failed: game.failures.size, figures };
}
