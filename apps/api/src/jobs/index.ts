import { auditPartitions } from './audit-partitions.ts';
import { idempotencyKeyCleanup } from './idempotency-key-cleanup.ts';
import { importCleanup } from './import-cleanup.ts';
import { imports } from './imports.ts';
import type { AnyJob } from './job.ts';
import { passwordMail } from './password-mail.ts';
import { storageCleanup } from './storage-cleanup.ts';
import { webhookDelivery } from './webhook-delivery.ts';
import { webhookDeliveryCleanup } from './webhook-delivery-cleanup.ts';
import { webhookReplay } from './webhook-replay.ts';

/** All jobs. */
export const jobs: readonly AnyJob[] = [
  passwordMail,
  storageCleanup,
  auditPartitions,
  idempotencyKeyCleanup,
  webhookDelivery,
  webhookDeliveryCleanup,
  webhookReplay,
  imports,
  importCleanup,
];
