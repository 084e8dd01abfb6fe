import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Moves unsent password e-mails from columns of `users` to the job queue. Each keeps the time of its next attempt; its 24 hours of retries start again. */
export const passwordMailJobs: Migration = {
  async up(db) {
    await sql`
      select pgboss.create_queue('password-mail', '{"policy": "standard", "retryLimit": 30, "retryDelay": 30, "retryBackoff": true, "retryDelayMax": 3600, "expireInSeconds": 60}');
      insert into pgboss.job (name, data, policy, start_after, keep_until,
        retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds)
      select queue.name, jsonb_build_object('userId', users.id), queue.policy, users.password_mail_next_try_at, now() + interval '14 days',
        queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.expire_seconds, queue.deletion_seconds
      from users cross join pgboss.queue
      where queue.name = 'password-mail' and users.password_mail_owed_since is not null and users.deleted_at is null;

      drop index users_password_mail_next_try_at_idx;
      alter table users
        drop column password_mail_owed_since,
        drop column password_mail_next_try_at,
        drop column password_mail_attempts;
    `.execute(db);
  },
};
