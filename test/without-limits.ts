/** Settings of a service that may be asked without end: for tests and measurements in which one caller asks as fast as it can. */
export const withoutLimits = {
  RATE_LIMIT_ADDRESS_PER_SECOND: '0',
  RATE_LIMIT_CALLER_PER_SECOND: '0',
  RATE_LIMIT_IDENTITY_PER_SECOND: '0',
};
