import { endpoints } from '@profile-service/contracts';
import type { Options } from '../options.ts';
import type { Failure, Outcome } from '../outcome.ts';
import type { World } from '../world/world.ts';
import { Fuzzer } from './fuzzer.ts';

/** Requests to an endpoint between two calls of `replenish`. */
const perRound = 12;
/** Endpoints that are fuzzed at the same time. */
const atOnce = 4;
/** After this many requests to an endpoint, at least one must have succeeded. */
const enough = 400;
const progressEveryMs = 30_000;

/** Fuzzes all endpoints, round after round, until the time is over, enough requests were sent, or the run is interrupted. */
export async function fuzzEndpoints(world: World, options: Options, interruption: AbortSignal): Promise<Outcome> {
  const { endpointMinutes, requests, seed, endpoint } = options;
  const names = endpoints.map(({ name }) => name).filter((name) => endpoint === undefined || name === endpoint);
  if (names.length === 0) throw new Error(`The contract has no endpoint ${endpoint}`);
  const fuzzer = new Fuzzer(world);
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const isOver = (): boolean => interruption.aborted || seconds() > endpointMinutes * 60 || fuzzer.statistics.requests >= requests;

  let reportedAt = began;
  for (let round = 0; !isOver(); round += 1) {
    await world.replenish();
    // An endpoint that has failed is not fuzzed again.
    const left = names.filter((name) => !fuzzer.failures.has(name)).entries();
    if (fuzzer.failures.size === names.length) break;
    const fuzzNext = async (): Promise<void> => {
      for (const [index, name] of left) {
        if (isOver()) return;
        await fuzzer.fuzz(name, perRound, (seed + round * names.length + index) | 0);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, fuzzNext));
    if (performance.now() - reportedAt > progressEveryMs) {
      reportedAt = performance.now();
      console.log(`${seconds().toFixed(0)} s: ${fuzzer.statistics.requests} requests, ${fuzzer.failures.size} endpoints failed`);
    }
  }

  const { statistics } = fuzzer;
  console.log(`\nendpoints, seed ${seed}: ${statistics.requests} requests (${(statistics.requests / seconds()).toFixed(0)}/s)`);
  console.log(`by caller: ${statistics.callers()}\nby status: ${statistics.statuses()}`);
  for (const { details } of fuzzer.failures.values()) console.log(`\n${details}`);
  const failures: Failure[] = [...fuzzer.failures].map(([name, failure]) => ({
    what: `${name}: ${failure.fault}`,
    seed: failure.seed,
    command: `npm run proof -- fuzz --endpoint ${name} --seed ${failure.seed} --requests ${perRound}`,
  }));
  const enoughSent = statistics.requests > names.length * enough;
  for (const name of enoughSent ? names.filter((each) => !statistics.successes.has(each)) : []) {
    const command = `npm run proof -- fuzz --endpoint ${name} --seed ${seed} --requests ${enough}`;
    failures.push({ what: `${name}: no request succeeded`, seed, command });
  }
  const figures = `seed ${seed}, ${statistics.requests} requests in ${(seconds() / 60).toFixed(0)} min`;
  return { passed: names.length - failures.length, failures, figures };
}
