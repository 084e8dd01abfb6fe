import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request that a receiver got. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  /** As received, for the check of the signature. */
  body: string;
  event: {
    id: string;
    type: string;
    timestamp: string;
    record: { type: string; id: string };
    changed: string[];
    data: Record<string, unknown>;
  };
}

export type Answer = (received: Received, response: ServerResponse) => void;

/** Starts a receiver of webhooks on this machine. It answers 204 unless told otherwise, and is closed at the end of the test. */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = { received, url: '', answer: ((_received, response) => void response.writeHead(204).end()) as Answer };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const each = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
      event: JSON.parse(body) as Received['event'],
    };
    received.push(each);
    receiver.answer(each, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://localhost:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}
