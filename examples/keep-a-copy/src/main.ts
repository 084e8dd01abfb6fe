import { createProfileClient, isProfileError } from '@profile-service/client';
import { applyEvents, eventTypes } from './apply-events.ts';
import { copyLists } from './copy-lists.ts';
import { openStore } from './store.ts';
import { passwordToken } from './token.ts';

/* Keeps a copy of organizations, addresses, contacts, links, users and members in a SQLite file. The program can be killed and started again at any time. */

const settings = {
  PROFILE_URL: 'http://localhost:3000',
  TOKEN_URL: 'http://localhost:3001/realms/profile/protocol/openid-connect/token',
  PROFILE_USER: 'gloria@example.com',
  PROFILE_PASSWORD: 'demo',
  COPY_FILE: 'copy.sqlite',
  ...process.env,
};
const { PROFILE_USER: username, PROFILE_PASSWORD: password } = settings;
const token = passwordToken({ url: settings.TOKEN_URL, username, password });
const profile = createProfileClient({ url: settings.PROFILE_URL, token });
const store = openStore(settings.COPY_FILE);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

while (!stop.signal.aborted) {
  try {
    const cursor = store.cursor() ?? (await copyLists(profile, store));
    console.log('The lists are copied. Following the events.');
    const feed = profile.events.follow({ cursor, types: eventTypes, signal: stop.signal });
    for await (const page of feed.pages()) await applyEvents(profile, store, page);
  } catch (error) {
    if (!isProfileError(error, 'EVENT_CURSOR_EXPIRED')) throw error;
    console.log('The events after the cursor are gone. Copying the lists again.');
    store.forgetCursor();
  }
}
store.close();
