import type { SizeName } from '../data/size.ts';
import { median } from '../load/statistics.ts';
import type { Options } from '../options.ts';
import type { Environment } from '../servers/environment.ts';
import { runWindow } from './compare.ts';
import type { PlannedGrowth } from './plan.ts';
import { countStatements } from './statements.ts';

/** How the median duration of a request grows with the data. */
export interface Growth {
  name: string;
  /** Milliseconds, on one connection: medians over the rounds. */
  small: number;
  large: number;
  /** Large / small: the median over the rounds. */
  ratio: number;
}

/** Measures both sides alternately on one connection, so that no request waits for another one. */
export async function measureGrowth(
  environment: Environment,
  planned: PlannedGrowth,
  largeSize: SizeName,
  options: Options,
): Promise<Growth> {
  const { name, work, against, withoutTotal } = planned;
  const large = { size: largeSize, work };
  const small = against === 'small' ? { size: 'small' as const, work } : { size: largeSize, work: against.work };
  const partOf = async (side: typeof large) =>
    withoutTotal ? 1 - (await countStatements(environment, side.size, 'service', side.work)).totalShare : 1;
  const parts = { small: await partOf(small), large: await partOf(large) };
  const rounds: { small: number; large: number }[] = [];
  const run = async (side: typeof large) => {
    const window = { ...side, server: 'service' as const, connections: 1, warmSeconds: 0.2, seconds: options.seconds / 2 };
    return (await runWindow(environment, window)).p50;
  };
  // Fills the caches of the database.
  for (const side of [small, large]) await run(side);
  while (rounds.length < options.rounds) rounds.push({ small: (await run(small)) * parts.small, large: (await run(large)) * parts.large });
  return {
    name,
    small: median(rounds.map((round) => round.small)),
    large: median(rounds.map((round) => round.large)),
    ratio: median(rounds.map((round) => round.large / round.small)),
  };
}
