const [minute, hour] = [60, 3_600];

/** Pauses before the retries, in seconds. */
const pauses = [5, 30, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/**
 * Returns how long to wait before the next attempt, in seconds, lengthened at random by up to a fifth. Undefined after the last attempt.
 * @param attempts how many have failed  @param random from 0 to 1
 */
export function retrySeconds(attempts: number, random: number = Math.random()): number | undefined {
  const pause = pauses[attempts - 1];
  return pause === undefined ? undefined : pause * (1 + random / 5);
}
