/** Pieces of long work that wait for their turn. */
const waiting: (() => void)[] = [];

/**
 * Runs a piece of long work in a later turn of the event loop. Each turn runs one piece, whatever number of requests have long work, so that other requests
 * wait for one piece at most in each turn. Pieces run in the order of the calls.
 */
export function inNextTurn(piece: () => void): void {
  waiting.push(piece);
  if (waiting.length === 1) setImmediate(runNext);
}

function runNext(): void {
  const [piece] = waiting;
  try {
    piece?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) setImmediate(runNext);
  }
}
