import { createProfileClient } from '@profile-service/client';
import type { EventTypeFilter } from '@profile-service/contracts';
import type { Random } from '../../isolation/random.ts';
import type { Urls } from './feed.ts';
import { type Filter, type Reader, Received } from './reader.ts';

interface FollowOptions extends Filter {
  name: string;
  urls: Urls;
  random: Random;
  /** Of an application. */
  token: string;
  types: EventTypeFilter[];
}

/** The longest time for which a loop runs, in milliseconds. */
const longestMs = 10_000;

/** Follows the events with the typed client. Ends the loop at random times and starts another one at the cursor of the last event. */
export function followWithClient({ name, urls, random, token, types, ...filter }: FollowOptions): Reader {
  const received = new Received();
  const problems: string[] = [];
  const stopping = new AbortController();
  const toInstance = (url: unknown, init?: RequestInit) => fetch(String(url).replace('http://instance', random.pick(urls) ?? ''), init);
  const { events } = createProfileClient({ url: 'http://instance', token, fetch: toInstance }).service;
  const run = async () => {
    let cursor: string | undefined;
    while (!stopping.signal.aborted) {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(random.index(longestMs))]);
      try {
        for await (const event of events.follow({ cursor, types, signal, limit: 1 + random.index(200) })) {
          received.add(event.id);
          cursor = event.cursor;
        }
      } catch (error) {
        problems.push(`the loop ended with ${String(error)}`);
        return;
      }
    }
  };
  const running = run();
  return {
    name,
    ...filter,
    received,
    problems,
    delivery: 'repeated',
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
