import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createProfileClient, type Event, type EventTypeFilter } from '@profile-service/client';
import { Webhook } from 'standardwebhooks';
import { passwordToken } from '../keep-a-copy/src/token.ts';

/* Prints the events that a webhook sends: `npm run example:webhook -- [event type…]`. Creates the webhook at a running `npm start`, and deletes it at the end. */

const settings = {
  PROFILE_URL: 'http://localhost:3000',
  TOKEN_URL: 'http://localhost:3001/realms/profile/protocol/openid-connect/token',
  PROFILE_USER: 'gloria@example.com',
  PROFILE_PASSWORD: 'demo',
  WEBHOOK_PORT: '0',
  ...process.env,
};
const { PROFILE_USER: username, PROFILE_PASSWORD: password } = settings;
const token = passwordToken({ url: settings.TOKEN_URL, username, password });
const profile = createProfileClient({ url: settings.PROFILE_URL, token });
const chosen = process.argv.slice(2) as EventTypeFilter[];
const types: EventTypeFilter[] = chosen.length > 0 ? chosen : ['*'];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const stopped = Promise.race(signals.map((signal) => once(process, signal)));

// An event can arrive before the response that has the secret.
const { promise: verifier, resolve: setVerifier } = Promise.withResolvers<Webhook>();

const server = createServer((request, response) => void receive(request, response));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await buffer(request);
    const event = (await verifier).verify(body, request.headers as Record<string, string>) as Event & { timestamp: string };
    response.writeHead(204).end();
    const changed = event.type.endsWith('.updated') ? ` ${event.changed.join(', ')}` : '';
    console.log(`${event.timestamp} ${event.type} ${event.record.id}${changed}`);
  } catch (error) {
    response.writeHead(400).end();
    console.log('Rejected a request:', error instanceof Error ? error.message : error);
  }
}

try {
  server.listen(Number(settings.WEBHOOK_PORT), 'localhost');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const { id, secret } = await profile.webhooks.create.mutate({ url, types, description: 'Created by npm run example:webhook' });
  setVerifier(new Webhook(secret));
  console.log(`The webhook ${id} sends ${types.join(', ')} to ${url}. Ctrl-C deletes it.`);
  await stopped;
  await profile.webhooks.remove.mutate({ id });
  console.log('Deleted the webhook.');
} catch (error) {
  console.error(`This needs a running \`npm start\` at ${settings.PROFILE_URL}.`, error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
server.closeAllConnections();
server.close();
