import type { UserConfig } from '../options.ts';
import type { UserStore } from './user-store.ts';

/** A user that the login page lists. One click signs in. */
export interface DemoUser {
  /** Of the account. It stays the same when the user changes the e-mail. */
  id: string;
  /** As configured. */
  email: string;
  name: string;
  /** As configured. The user may have changed it. */
  password: string;
  /** What the user is, such as `Global user`. */
  hint: string;
}

/** Returns the configured users that have a hint, a password and an account, in their order. */
export function demoUsers(configs: UserConfig[], users: UserStore): DemoUser[] {
  return configs.flatMap(({ email, firstName, lastName, password, hint }) => {
    const account = users.findByEmail(email);
    if (hint === undefined || password === undefined || account === undefined) return [];
    return [{ id: account.id, email: email.toLowerCase(), name: `${firstName} ${lastName}`, password, hint }];
  });
}
