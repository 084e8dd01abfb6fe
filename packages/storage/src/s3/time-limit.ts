/** How many bytes a storage copies or joins in a second, at the least: a sixth of what a slow machine does (docs/run/figures.md). */
const bytesPerSecond = 20 * 1024 ** 2;

/** Returns the time limit in milliseconds of a request whose work grows with the size of a file. @param baseMs limit for an empty file */
export const timeLimitFor = (size: number, baseMs: number): number => baseMs + Math.ceil((size / bytesPerSecond) * 1000);

/**
 * Sends a request that may take as long as its file needs. The time limit includes further attempts.
 * @param stop ends the request early
 * @throws TimeoutError, the reason of `stop`, or the error of the request
 */
export async function withinTimeLimit<T>(
  limitMs: number,
  stop: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(limitMs);
  const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
  try {
    return await send(signal);
  } catch (error) {
    // The SDK throws an error of its own.
    throw signal.aborted ? signal.reason : error;
  }
}
