import type { LoggedAttempt } from '@profile-service/db';
import type { Attempt } from '@profile-service/webhooks';

/** Returns what the delivery log shows of an attempt. */
export const loggedAttempt = ({ at, durationMs, responseStatus, responseBody, error }: Attempt): LoggedAttempt => ({
  at: at.toISOString(),
  durationMs: Math.round(durationMs),
  responseStatus,
  responseBody,
  error,
});
