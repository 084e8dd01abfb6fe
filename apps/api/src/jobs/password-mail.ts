import { defineJob } from './job.ts';

/** Sends a new user the mail to set a password (IDENTITY-5, IDENTITY-6). Skips a user who was deleted meanwhile. */
export const passwordMail = defineJob<{ userId: string }>({
  name: 'password-mail',
  // 30 retries: 7 pauses from 30 s to 32 min and 23 pauses of 1 hour. The last retry is after 24 to 25 hours, without the random time.
  queue: { retryLimit: 30, retryDelay: 30, retryBackoff: true, retryDelayMax: 3_600, expireInSeconds: 60 },
  pollSeconds: 15,
  async run({ userId }, { database, identity }) {
    const user = await database.db
      .selectFrom('users')
      .select('idIdentity')
      .where('id', '=', userId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
    if (user) await identity.sendPasswordMail(user.idIdentity);
  },
});
