import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../isolation/random.ts';
import { type Request, send } from '../../faults/load/request.ts';
import { type Filter, type Reader, Received, temporary } from './reader.ts';

/** Where a reader connects: the URLs of the instances. */
export type Urls = readonly string[];

interface FeedOptions extends Filter {
  name: string;
  urls: Urls;
  random: Random;
  token: string;
  /** Path with the filters. */
  path: string;
}

/** Follows the feed over REST by its cursor, from the oldest event. Each request goes to a random instance. */
export function followFeed({ name, urls, random, token, path, ...filter }: FeedOptions): Reader {
  const received = new Received();
  const problems: string[] = [];
  let isStopping = false;
  let cursor: string | undefined;
  const run = async () => {
    while (!isStopping) {
      const query = new URLSearchParams({ limit: String(1 + random.index(1_000)), wait: '5', ...(cursor && { cursor }) });
      const request: Request = { method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`, token };
      const { status, outcome, body } = await send(random.pick(urls) ?? '', request);
      if (status === 200) {
        const page = JSON.parse(body.toString()) as { data: { id: string }[]; nextCursor: string };
        for (const { id } of page.data) received.add(id);
        cursor = page.nextCursor;
      } else {
        if (![0, ...temporary].includes(status)) problems.push(`the feed responded ${outcome}`);
        await pause(100);
      }
    }
  };
  const running = run();
  return {
    name,
    ...filter,
    received,
    problems,
    delivery: 'once',
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
