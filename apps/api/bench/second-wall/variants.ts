import type { Wall } from './policy.ts';

/** A way in which the service may ask the database for organizations. */
export interface Variant {
  /** The role of the connection: the one that sees all, which the service has logged in as, or the one that stands before a wall. */
  role: 'none' | Wall;
  /** For which wall the scope is set; absent: not at all. */
  setting?: Wall;
  form?: 'flush' | 'transaction';
}

/** What the others are compared with: what the service does today, measured twice to see how exact all this is. */
export const bases = ['no wall', 'no wall, once more'];

export const variants: Record<string, Variant> = {
  'no wall': { role: 'none' },
  'no wall, once more': { role: 'none' },
  'a setting, no wall': { role: 'none', setting: 'links', form: 'flush' },
  'links, one flush': { role: 'links', setting: 'links', form: 'flush' },
  'whole, one flush': { role: 'whole', setting: 'whole', form: 'flush' },
  'whole, transaction': { role: 'whole', setting: 'whole', form: 'transaction' },
};
