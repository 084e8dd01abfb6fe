import { checkStored } from './checks/stored.ts';
import type { Environment } from './environment/environment.ts';
import type { Fault } from './fault.ts';
import type { Load } from './load/load.ts';
import { type FaultResult, runFault } from './run-fault.ts';

/**
 * Runs random faults of random length for a time, then checks every acknowledged write of the whole time again.
 * @param seconds the longest time of a fault, unless it needs more
 * @returns what is wrong at the end
 */
export async function runRandomFaults(
  environment: Environment,
  load: Load,
  faults: readonly Fault[],
  { minutes, seconds, onResult }: { minutes: number; seconds: number; onResult: (result: FaultResult) => void },
): Promise<string[]> {
  const acknowledged: FaultResult['acknowledged'][number][] = [];
  for (const end = performance.now() + minutes * 60_000; performance.now() < end;) {
    const fault = faults[Math.floor(Math.random() * faults.length)];
    if (!fault) break;
    const result = await runFault(environment, load, fault, 0.1 + Math.random() * seconds);
    onResult(result);
    for (const each of result.acknowledged) acknowledged.push(each);
  }
  return checkStored(environment, acknowledged);
}
