/** While other statements run, a piece waits this long if it is the only one, in milliseconds. A piece takes about 1 ms. */
const pauseMs = 4;

/** Pieces of long work that wait for their turn. */
const waiting: (() => void)[] = [];
/** Whether a statement was sent since the last piece was planned. */
let isBusy = false;

/**
 * Runs a piece of long work in a later turn of the event loop. Each turn runs one piece, whatever number of requests have long work, so that other requests
 * wait for one piece at most in each turn. While there are other requests, the pieces leave them a part of the processor time. Pieces run in the order of the
 * calls.
 */
export function inNextTurn(piece: () => void): void {
  waiting.push(piece);
  if (waiting.length === 1) planNext();
}

/** Must be called when a statement is sent. */
export function onStatementSent(): void {
  isBusy = true;
}

/** Several pieces wait for each other, so their pauses are shorter. */
function planNext(): void {
  const pause = isBusy ? Math.floor(pauseMs / waiting.length) : 0;
  isBusy = false;
  if (pause > 0) setTimeout(runNext, pause);
  else setImmediate(runNext);
}

function runNext(): void {
  const [piece] = waiting;
  try {
    piece?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) planNext();
  }
}
