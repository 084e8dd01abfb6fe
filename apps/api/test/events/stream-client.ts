import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Actor, headersOf } from '../support/call.ts';

/** A message of a stream: its lines by name. */
export type Message = Partial<Record<'id' | 'event' | 'data' | 'retry', string>>;

/** Opens a stream of server-sent events and collects its messages. It is closed at the end of the test. */
export async function openStream(url: string, actor: Actor, headers: Record<string, string> = {}) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(url, { headers: { ...headersOf(actor), ...headers }, signal: controller.signal });
  const messages: Message[] = [];
  const ended = (async () => {
    let text = '';
    for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop() ?? '';
      messages.push(...parts.filter(Boolean).map(parseMessage));
    }
  })();
  ended.catch(() => undefined);
  return {
    response,
    messages,
    close: () => controller.abort(),
    /** The events so far. */
    events: () =>
      messages.flatMap(({ data }) => (data?.startsWith('{"id"') ? [JSON.parse(data) as { id: string; type: string; data: object }] : [])),
    /** Resolves when the service ends the stream; rejects after some seconds. */
    ended: (seconds: number) =>
      Promise.race([ended, pause(seconds * 1000).then(() => Promise.reject(new Error('The stream is still open')))]),
  };
}

const parseMessage = (block: string): Message =>
  Object.fromEntries(
    block
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  ) as Message;
