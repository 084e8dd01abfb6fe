import { randomUUID } from 'node:crypto';
import { StateFile } from '../state-file.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { checkProfile, type Profile, type ProfileViolation } from './user-profile.ts';
import type { NewUser, User } from './user.ts';

/** The data violate the rules of the user profile. */
export class InvalidProfileError extends Error {
  readonly violations: ProfileViolation[];

  constructor(violations: ProfileViolation[]) {
    super(`Invalid user profile: ${violations.map(({ field, errorMessage }) => `${field} (${errorMessage})`).join(', ')}`);
    this.violations = violations;
  }
}

/** Another user has the e-mail. */
export class UserExistsError extends Error {}

/** The outcome of a login. `disabled` requires the correct password. */
export type Authentication = { outcome: 'accepted'; user: User } | { outcome: 'wrong' } | { outcome: 'disabled' };

/** Users and service accounts. Every change is saved before the call returns. */
export class UserStore {
  readonly #state: StateFile<User[]>;
  readonly #byId: Map<string, User>;

  constructor(dataDir: string | undefined) {
    this.#state = new StateFile<User[]>(dataDir, 'users', []);
    this.#byId = new Map(this.#state.value.map((user) => [user.id, user]));
  }

  /** Returns the users that match, ordered by username, without service accounts. */
  list(matches: (user: User) => boolean = () => true): User[] {
    return [...this.#byId.values()]
      .filter((user) => user.serviceAccountClientId === undefined && matches(user))
      .toSorted((one, other) => (one.username < other.username ? -1 : 1));
  }

  find(id: string): User | undefined {
    return this.#byId.get(id);
  }

  findByEmail(email: string): User | undefined {
    const [found] = this.list((user) => user.email === email.toLowerCase());
    return found;
  }

  /** Adds a user. @throws InvalidProfileError, UserExistsError */
  create({ password, ...data }: NewUser): User {
    this.#check(data);
    const user: User = { ...data, id: data.id ?? randomUUID(), createdTimestamp: Date.now() };
    if (password !== undefined) user.passwordHash = hashPassword(password);
    return this.#put(user);
  }

  /** Changes a user. @throws InvalidProfileError, UserExistsError */
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

  /** Creates the service account, or replaces its roles. */
  putServiceAccount(account: User): void {
    this.#put({ ...account, createdTimestamp: this.find(account.id)?.createdTimestamp ?? account.createdTimestamp });
  }

  /** Checks a password. The e-mail is case-insensitive. */
  authenticate(email: string, password: string): Authentication {
    const user = this.findByEmail(email);
    if (user === undefined || !passwordMatches(password, user.passwordHash)) return { outcome: 'wrong' };
    return user.enabled ? { outcome: 'accepted', user } : { outcome: 'disabled' };
  }

  #check(user: Profile & { id?: string }): void {
    const holder = this.findByEmail(user.email);
    if (holder !== undefined && holder.id !== user.id) throw new UserExistsError('User exists with same email');
    const violations = checkProfile(user);
    if (violations.length > 0) throw new InvalidProfileError(violations);
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
