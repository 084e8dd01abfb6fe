import { sql } from 'kysely';
import { inScope } from '../scope/scope.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { Statement } from '../queries/statement.ts';

/** Sends what is pending at once, and forgets earlier failures: for a webhook that its owner enables. Does nothing for a webhook outside the scope. */
export const sendPendingNow = new Statement<'scoped', { id: string }, never>((p: Placeholders<{ id: string }>, scope) => ({
  compile: () =>
    sql<never>`
      with enabled as (
        update webhook_progress set failing_since = null from webhooks
        where webhooks.id = webhook_id and webhook_id = ${p.id} and ${inScope('webhooks', scope)} returning webhook_id
      )
      update webhook_deliveries set next_attempt_at = now() from enabled
      where webhook_deliveries.webhook_id = enabled.webhook_id and next_attempt_at > now()
    `.compile(queries),
}));
