/** Settings without rate limits, for tests and benchmarks in which one caller sends requests as fast as possible. */
export const withoutLimits = {
  RATE_LIMIT_ADDRESS_PER_SECOND: '0',
  RATE_LIMIT_CALLER_PER_SECOND: '0',
  RATE_LIMIT_IDENTITY_PER_SECOND: '0',
};
