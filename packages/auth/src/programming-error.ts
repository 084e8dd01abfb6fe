/**
 * Whether the error is a bug of this service, and not a failure of a dependency: the runtime threw it because the code is wrong. `fetch` reports a failed
 * connection as a TypeError too, but with a cause.
 */
export const isProgrammingError = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) && error.cause === undefined;
