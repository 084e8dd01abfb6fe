import { randomBytes } from 'node:crypto';
import { StateFile } from '../state-file.ts';

/** The user and actions behind a mailed link. */
export interface ActionLink {
  userId: string;
  actions: string[];
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Where to continue when the actions are done. */
  redirectUri?: string | undefined;
  /** Whether `redirectUri` is the login that requires the actions. It then continues at once, with the key of a new link. */
  continuesLogin?: boolean;
}

/** The unused links. Each link works once. The key in its URL is its only secret. */
export class ActionLinks {
  readonly #state: StateFile<Record<string, ActionLink>>;

  constructor(dataDir: string | undefined) {
    this.#state = new StateFile<Record<string, ActionLink>>(dataDir, 'links', {});
  }

  /** Creates a link and returns its key. Deletes expired links. */
  create(link: ActionLink): string {
    const key = randomBytes(32).toString('base64url');
    const valid = Object.entries(this.#state.value).filter(([, { expiresAt }]) => expiresAt > Date.now());
    this.#state.value = { ...Object.fromEntries(valid), [key]: link };
    this.#state.save();
    return key;
  }

  /** Returns the link with this key, unless it is used, expired or unknown. */
  find(key: string): ActionLink | undefined {
    const link = this.#state.value[key];
    return link !== undefined && link.expiresAt > Date.now() ? link : undefined;
  }

  /** Returns the user who has completed the actions that a login requires, and removes the link. */
  takeCompleted(key: string): string | undefined {
    const link = this.find(key);
    if (link?.continuesLogin !== true || link.actions.length > 0) return undefined;
    this.remove(key);
    return link.userId;
  }

  remove(key: string): void {
    const { [key]: _used, ...others } = this.#state.value;
    this.#state.value = others;
    this.#state.save();
  }
}
