import { endpoints } from '@profile-service/contracts';
import type { Options } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import type { World } from '../world/world.ts';
import { Fuzzer } from './fuzzer.ts';

/** Requests of an endpoint between two tendings of the world. */
const perRound = 12;
/** Endpoints that are played at the same time. */
const atOnce = 4;
/** After so many requests of an endpoint one of them has succeeded by far. */
const enough = 400;
const tellEveryMs = 30_000;

/** Plays all endpoints, round after round, until the time is over, there were enough requests, or nobody wants more. */
export async function fuzzEndpoints(world: World, options: Options, interruption: AbortSignal): Promise<Outcome> {
  const { endpointMinutes, requests, seed, endpoint } = options;
  const names = endpoints.map(({ name }) => name).filter((name) => endpoint === undefined || name === endpoint);
  if (names.length === 0) throw new Error(`The contract has no endpoint ${endpoint}`);
  const fuzzer = new Fuzzer(world);
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const isOver = (): boolean => interruption.aborted || seconds() > endpointMinutes * 60 || fuzzer.statistics.requests >= requests;

  let told = began;
  for (let round = 0; !isOver(); round += 1) {
    await world.replenish();
    // An endpoint that has failed has been heard of.
    const left = names.filter((name) => !fuzzer.failures.has(name)).entries();
    if (fuzzer.failures.size === names.length) break;
    const fuzzNext = async (): Promise<void> => {
      for (const [place, name] of left) {
        if (isOver()) return;
        await fuzzer.fuzz(name, perRound, (seed + round * names.length + place) | 0);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, fuzzNext));
    if (performance.now() - told > tellEveryMs) {
      told = performance.now();
      console.log(`${seconds().toFixed(0)} s: ${fuzzer.statistics.requests} requests, ${fuzzer.failures.size} endpoints failed`);
    }
  }

  console.log(`\nrows, seed ${seed}: ${fuzzer.statistics.requests} requests (${(fuzzer.statistics.requests / seconds()).toFixed(0)}/s)`);
  console.log(`by caller: ${fuzzer.statistics.callers()}\nby status: ${fuzzer.statistics.statuses()}`);
  const unanswered = fuzzer.statistics.requests > names.length * enough ? names.filter((name) => !fuzzer.statistics.successes.has(name)) : [];
  for (const name of unanswered) fuzzer.failures.set(name, `${name} was never answered with success`);
  for (const text of fuzzer.failures.values()) console.log(`\n${text}`);
  return { passed: names.length - fuzzer.failures.size, failed: fuzzer.failures.size };
}
