import { randomUUID } from 'node:crypto';
import { StateFile } from '../state-file.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { checkProfile, type Profile, type ProfileFault } from './user-profile.ts';
import type { NewUser, User } from './user.ts';

/** The data break the rules of the user profile. */
export class ProfileRefused extends Error {
  readonly faults: ProfileFault[];

  constructor(faults: ProfileFault[]) {
    super(`the user profile refuses ${faults.map(({ field, errorMessage }) => `${field} (${errorMessage})`).join(', ')}`);
    this.faults = faults;
  }
}

/** Somebody else has the e-mail. */
export class UserExists extends Error {}

/** How a login went; `disabled` is told only to someone who knows the password. */
export type Authentication = { outcome: 'accepted'; user: User } | { outcome: 'wrong' } | { outcome: 'disabled' };

/** People and service accounts. Every change is written down before the call returns. */
export class UserStore {
  readonly #state: StateFile<User[]>;
  readonly #byId: Map<string, User>;

  constructor(dataDir: string | undefined) {
    this.#state = new StateFile<User[]>(dataDir, 'users', []);
    this.#byId = new Map(this.#state.value.map((user) => [user.id, user]));
  }

  /** The people wanted (all, unless told otherwise), ordered by username; no service accounts. */
  people(wanted: (user: User) => boolean = () => true): User[] {
    return [...this.#byId.values()]
      .filter((user) => user.serviceAccountClientId === undefined && wanted(user))
      .toSorted((one, other) => (one.username < other.username ? -1 : 1));
  }

  find(id: string): User | undefined {
    return this.#byId.get(id);
  }

  findByEmail(email: string): User | undefined {
    const [found] = this.people((user) => user.email === email.toLowerCase());
    return found;
  }

  /** Adds a person. @throws ProfileRefused, UserExists */
  create({ password, ...data }: NewUser): User {
    this.#check(data);
    const user: User = { ...data, id: data.id ?? randomUUID(), createdTimestamp: Date.now() };
    if (password !== undefined) user.passwordHash = hashPassword(password);
    return this.#put(user);
  }

  /** Lays `change` over a user. @throws ProfileRefused, UserExists */
  update(user: User, change: Partial<User> & { password?: string }): User {
    const { password, ...data } = change;
    const next: User = { ...user, ...data };
    if (next.email !== undefined) this.#check({ ...next, email: next.email });
    if (password !== undefined) next.passwordHash = hashPassword(password);
    return this.#put(next);
  }

  delete(id: string): void {
    this.#byId.delete(id);
    this.#save();
  }

  /** Makes sure that the service account is there, with exactly the roles given. */
  putServiceAccount(account: User): void {
    this.#put({ ...account, createdTimestamp: this.find(account.id)?.createdTimestamp ?? account.createdTimestamp });
  }

  /** Checks an e-mail (in any case) and a password. */
  authenticate(email: string, password: string): Authentication {
    const user = this.findByEmail(email);
    if (user === undefined || !passwordMatches(password, user.passwordHash)) return { outcome: 'wrong' };
    return user.enabled ? { outcome: 'accepted', user } : { outcome: 'disabled' };
  }

  #check(user: Profile & { id?: string }): void {
    const holder = this.findByEmail(user.email);
    if (holder !== undefined && holder.id !== user.id) throw new UserExists('User exists with same email');
    const faults = checkProfile(user);
    if (faults.length > 0) throw new ProfileRefused(faults);
  }

  #put(user: User): User {
    this.#byId.set(user.id, user);
    this.#save();
    return user;
  }

  #save(): void {
    this.#state.value = [...this.#byId.values()];
    this.#state.save();
  }
}
