import { randomBytes } from 'node:crypto';
import { StateFile } from '../state-file.ts';

/** What a mailed link stands for. */
export interface ActionLink {
  userId: string;
  actions: string[];
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Where the way goes on when all is done. */
  redirectUri?: string | undefined;
}

/** The links that were mailed and not yet used. Each works once; the key in its address is its only secret. */
export class ActionLinks {
  readonly #state: StateFile<Record<string, ActionLink>>;

  constructor(dataDir: string | undefined) {
    this.#state = new StateFile<Record<string, ActionLink>>(dataDir, 'links', {});
  }

  /** Makes a link, forgets those whose time is over, and returns the key. */
  create(link: ActionLink): string {
    const key = randomBytes(32).toString('base64url');
    const alive = Object.entries(this.#state.value).filter(([, { expiresAt }]) => expiresAt > Date.now());
    this.#state.value = { ...Object.fromEntries(alive), [key]: link };
    this.#state.save();
    return key;
  }

  /** The link with this key, unless it was used, is over, or never was. */
  find(key: string): ActionLink | undefined {
    const link = this.#state.value[key];
    return link !== undefined && link.expiresAt > Date.now() ? link : undefined;
  }

  remove(key: string): void {
    const { [key]: _used, ...others } = this.#state.value;
    this.#state.value = others;
    this.#state.save();
  }
}
