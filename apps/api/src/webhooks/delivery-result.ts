import type { AttemptResult, Delivery } from '@profile-service/db';
import { type Attempt, isDelivered } from '@profile-service/webhooks';
import { loggedAttempt } from '../request/logged-attempt.ts';
import { retrySeconds } from './retry-schedule.ts';

/** The status with which a receiver says that it does not exist any more. */
const gone = 410;

/** Whether the attempt disables the webhook. */
export const isGone = ({ responseStatus, error }: Attempt): boolean => error === null && responseStatus === gone;

/** Decides what becomes of a delivery after an attempt: delivered, failed, or when to try again (SENDING-5 to SENDING-7, SENDING-9). */
export function resultOf({ id: deliveryId, attempts }: Delivery, made: Attempt): AttemptResult {
  const { retryAfterSeconds, abort } = made;
  const attempt = loggedAttempt(made);
  const ended = (status: 'DELIVERED' | 'FAILED') => ({ deliveryId, attempt, status, retrySeconds: null });
  if (isDelivered(made)) return ended('DELIVERED');
  if (abort) return ended('FAILED');
  // The webhook is disabled, and its deliveries are sent again when its owner enables it.
  if (isGone(made)) return { deliveryId, attempt, status: 'PENDING', retrySeconds: 0 };
  const scheduled = retrySeconds(attempts + 1);
  if (scheduled === undefined) return ended('FAILED');
  return { deliveryId, attempt, status: 'PENDING', retrySeconds: Math.max(scheduled, retryAfterSeconds ?? 0) };
}
