import { sql } from 'kysely';
import type { Database } from '@profile-service/db';
import type { Logger } from 'pino';
import type { IdentityProvider } from '../integrations/identity-provider/identity-provider.ts';

const intervalMs = 15_000;

/** The job that sends the password mails which are stored as owed with the users (decisions, part 7). */
export interface PasswordMails {
  /** Sends what is due now instead of at the next round. */
  wake: () => void;
  /** Ends after the mail that is being sent. */
  stop(): Promise<void>;
}

/**
 * Sends due mails in rounds. A mail is claimed by moving its next try into the future, so several instances share the
 * work and a crash repeats it: tried again with growing pauses for a day, then given up with a line in the log.
 */
export function startPasswordMails({ db }: Database, identity: IdentityProvider, log: Logger): PasswordMails {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  /** One alone: what is claimed and not sent has to wait for its next try. 30 s, 1 min, 2 min … 1 h, counted in `password_mail_attempts`. */
  const claimNext = () =>
    db
      .updateTable('users')
      .set((eb) => ({
        passwordMailAttempts: eb('passwordMailAttempts', '+', 1),
        passwordMailNextTryAt: sql<string>`now() + least(interval '30 seconds' * power(2, password_mail_attempts), interval '1 hour')`,
      }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('users')
          .select('id')
          .where('passwordMailOwedSince', 'is not', null)
          .where('passwordMailNextTryAt', '<=', sql<string>`now()`)
          .orderBy('passwordMailNextTryAt')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'idIdentity', sql<boolean>`password_mail_owed_since < now() - interval '1 day'`.as('overdue')])
      .executeTakeFirst();

  const settle = (id: string) =>
    db.updateTable('users').set({ passwordMailOwedSince: null, passwordMailNextTryAt: null }).where('id', '=', id).execute();

  async function round(): Promise<void> {
    while (!stopped) {
      const due = await claimNext();
      if (!due) return;
      const { id, idIdentity, overdue } = due;
      try {
        await identity.sendPasswordMail(idIdentity);
        await settle(id);
      } catch (error) {
        log.warn(
          { user: id, reason: String((error as Error).cause ?? error) },
          overdue ? 'password mail given up' : 'password mail failed, will be tried again',
        );
        if (overdue) await settle(id);
      }
    }
  }

  function wake(): void {
    again = true;
    running ??= (async () => {
      while (again && !stopped) {
        again = false;
        await round().catch((error: unknown) => log.warn({ reason: String(error) }, 'password mails could not be read'));
      }
    })().finally(() => (running = undefined));
  }

  const timer = setInterval(wake, intervalMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
