import { randomUUID } from 'node:crypto';
import { sendJson, sendPage, type Exchange } from '../http.ts';
import { StateFile } from '../state-file.ts';
import type { Mail } from './mail.ts';
import { mailboxPage } from './pages.ts';

/** Keeps the mails instead of sending them. */
export class Mailbox {
  readonly #state: StateFile<Mail[]>;

  constructor(dataDir: string | undefined) {
    this.#state = new StateFile<Mail[]>(dataDir, 'mails', []);
  }

  /** Oldest first. */
  get mails(): readonly Mail[] {
    return this.#state.value;
  }

  deliver(mail: Omit<Mail, 'id' | 'sentAt'>): void {
    this.#state.value.push({ id: randomUUID(), ...mail, sentAt: new Date().toISOString() });
    this.#state.save();
  }

  /** Serves `/mailbox` (an HTML page) and `/mailbox.json`, newest first. */
  show({ res, url }: Exchange): void {
    const newestFirst = this.mails.toReversed();
    if (url.pathname.endsWith('.json')) sendJson(res, 200, newestFirst, { 'cache-control': 'no-store' });
    else sendPage(res, 200, mailboxPage(newestFirst));
  }
}
