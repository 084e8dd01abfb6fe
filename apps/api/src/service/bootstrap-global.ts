import { statement, type WriteOrigin } from '@profile-service/db';
import { reasonOf } from '../jobs/outage.ts';
import { problemOf } from '../request/problem.ts';
import { provisionUser, type ProvisioningContext } from '../resources/provision-user.ts';
import type { Log } from '../observability/log.ts';
import type { Settings } from '../settings.ts';

/** How long to wait before a retry, in milliseconds. */
const retryMs = 10_000;

/** What the audit entry of the first Global user says besides the changes. */
export const bootstrapOrigin: WriteOrigin = {
  operation: 'bootstrap',
  actor: { kind: 'SYSTEM', id: null },
  requestId: null,
  tenantId: null,
  events: ['user.created'],
  recordId: null,
};

const findGlobal = statement((db) =>
  db.selectFrom('users').select('id').where('type', '=', 'Global').where('deletedAt', 'is', null).limit(1),
);

/**
 * Creates the first Global user from BOOTSTRAP_GLOBAL_EMAIL, _NAME and _TAX_ID, in the same way as POST /api/users. Does nothing if a live Global user exists.
 * While the identity provider or the database is unreachable, it retries in the background every 10 seconds, until the signal is aborted. Rules:
 * BOOTSTRAP-1, BOOTSTRAP-2.
 * @param logged reasons of earlier attempts, which are not logged again
 */
export async function bootstrapGlobal(
  settings: Settings,
  context: ProvisioningContext,
  log: Log,
  signal: AbortSignal,
  logged = new Set<string>(),
): Promise<void> {
  const { BOOTSTRAP_GLOBAL_EMAIL: email, BOOTSTRAP_GLOBAL_NAME: name, BOOTSTRAP_GLOBAL_TAX_ID: federalTaxId } = settings;
  if (!email || !name || !federalTaxId) return;
  try {
    if (await context.unscoped.first(findGlobal, {})) return;
    const { id } = await provisionUser(context, { email, name, federalTaxId, type: 'Global' });
    log.info({ user: id }, 'the first Global user was created');
  } catch (error) {
    const { code, status } = problemOf(error);
    if (status < 500) {
      // For example, another user has the e-mail: a retry would fail too.
      log.error({ code }, 'the first Global user could not be created');
      return;
    }
    if (signal.aborted) return;
    // The message of a problem is for clients.
    const reason = reasonOf(error);
    if (!logged.has(reason)) log.warn({ reason }, 'the first Global user cannot be created yet: see the reasons of /health/ready');
    logged.add(reason);
    const retry = setTimeout(() => void bootstrapGlobal(settings, context, log, signal, logged), retryMs).unref();
    signal.addEventListener('abort', () => clearTimeout(retry), { once: true });
  }
}
