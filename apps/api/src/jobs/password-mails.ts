import type { Database } from '@profile-service/db';
import type { IdentityProvider } from '@profile-service/auth';
import type { Job } from './job.ts';

/** Creates the job that sends a new user the mail to set a password (IDENTITY-5, IDENTITY-6). It skips a user who was deleted meanwhile. */
export function passwordMailJob({ db }: Database, identity: IdentityProvider): Job<'password-mail'> {
  return {
    name: 'password-mail',
    pollSeconds: 15,
    async run({ userId }) {
      const user = await db
        .selectFrom('users')
        .select('idIdentity')
        .where('id', '=', userId)
        .where('deletedAt', 'is', null)
        .executeTakeFirst();
      if (user) await identity.sendPasswordMail(user.idIdentity);
    },
  };
}
