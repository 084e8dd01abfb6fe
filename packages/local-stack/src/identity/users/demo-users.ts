import type { UserConfig } from '../options.ts';

/** A user that the login page lists. One click signs in. */
export interface DemoUser {
  email: string;
  name: string;
  password: string;
  /** What the user is, such as `Global user`. */
  hint: string;
}

/** Returns the configured users that have a hint and a password, in their order. */
export function demoUsers(configs: UserConfig[]): DemoUser[] {
  return configs.flatMap(({ email, firstName, lastName, password, hint }) =>
    hint === undefined || password === undefined ? [] : [{ email: email.toLowerCase(), name: `${firstName} ${lastName}`, password, hint }],
  );
}
