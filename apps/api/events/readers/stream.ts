import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../isolation/random.ts';
import { type Filter, type Reader, Received, temporary } from './reader.ts';
import type { Urls } from './feed.ts';

interface StreamOptions extends Filter {
  name: string;
  urls: Urls;
  random: Random;
  token: string;
  /** Path with the filters. */
  path: string;
}

/** The longest time for which a connection stays open, in milliseconds. */
const longestMs = 8_000;

/** Follows a stream of server-sent events, from the oldest event. Breaks the connection at random times and continues at another instance with Last-Event-ID. */
export function followStream({ name, urls, random, token, path, ...filter }: StreamOptions): Reader {
  const received = new Received();
  const problems: string[] = [];
  const stopping = new AbortController();
  let lastEventId: string | undefined;

  function receive(block: string): void {
    const lines = block.split('\n');
    const field = (prefix: string) =>
      lines
        .find((line) => line.startsWith(prefix))
        ?.slice(prefix.length)
        .trim();
    const data = field('data:');
    if (data) received.add((JSON.parse(data) as { id: string }).id);
    lastEventId = field('id:') ?? lastEventId;
  }
  async function connect(): Promise<void> {
    const start = lastEventId === undefined ? `${path.includes('?') ? '&' : '?'}startDate=2000-01-01` : '';
    const headers = { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) };
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(500 + random.index(longestMs))]);
    const response = await fetch((random.pick(urls) ?? '') + path + start, { headers, signal });
    if (!response.ok) {
      if (!temporary.includes(response.status)) problems.push(`the stream responded ${response.status} ${await response.text()}`);
      return;
    }
    let text = '';
    for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) receive(block);
    }
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      // The connection breaks when an instance is killed, and by the signal.
      await connect().catch(() => undefined);
      await pause(50);
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
      stopping.abort();
      await running;
    },
  };
}
