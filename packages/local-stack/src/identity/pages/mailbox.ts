import { randomUUID } from 'node:crypto';
import { sendJson, sendPage, type Exchange } from '../http.ts';
import { StateFile } from '../state-file.ts';
import { mailboxPage } from './pages.ts';

/** A mail that a real provider would have sent. */
export interface Mail {
  id: string;
  to: string;
  subject: string;
  /** Leads to the page where the actions are done. */
  link: string;
  actions: string[];
  /** ISO 8601, UTC. */
  sentAt: string;
  /** ISO 8601, UTC: until when the link works. */
  expiresAt: string;
}

/** The mails, oldest first, in place of a mail server. */
export class Mailbox {
  readonly #state: StateFile<Mail[]>;

  constructor(dataDir: string | undefined) {
    this.#state = new StateFile<Mail[]>(dataDir, 'mails', []);
  }

  get mails(): readonly Mail[] {
    return this.#state.value;
  }

  deliver(mail: Omit<Mail, 'id' | 'sentAt'>): void {
    this.#state.value.push({ id: randomUUID(), ...mail, sentAt: new Date().toISOString() });
    this.#state.save();
  }

  /** Answers /mailbox (a page) and /mailbox.json, newest first. */
  show({ res, url }: Exchange): void {
    const newestFirst = this.mails.toReversed();
    if (url.pathname.endsWith('.json')) sendJson(res, 200, newestFirst, { 'cache-control': 'no-store' });
    else sendPage(res, 200, mailboxPage(newestFirst));
  }
}
