import type { Client } from './clients.ts';
import type { Faults } from './faults.ts';
import type { KeyRing } from './keys.ts';
import type { Mailbox } from './pages/mailbox.ts';
import type { ActionLinks } from './users/action-links.ts';
import type { DemoUser } from './users/demo-users.ts';
import type { UserStore } from './users/user-store.ts';

/** The state that all routes of the provider share. */
export interface Realm {
  name: string;
  /** Base of all URLs, without a trailing slash. */
  publicUrl: string;
  /** `<publicUrl>/realms/<name>`. */
  issuer: string;
  /** Seconds. */
  accessTokenLifespan: number;
  dataDir: string | undefined;
  keys: KeyRing;
  users: UserStore;
  /** The users that the login page lists. */
  demoUsers: readonly DemoUser[];
  clients: ReadonlyMap<string, Client>;
  mailbox: Mailbox;
  links: ActionLinks;
  faults: Faults;
}
