import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { listen } from '../../../../test/listen.ts';
import type { Random } from '../../isolation/random.ts';
import { type Filter, numberOf, type Reader, Received } from './reader.ts';

interface WebhookOptions extends Filter {
  name: string;
  /** With it, the receiver fails at random. */
  random?: Random;
  /** Creates the webhook with this URL. */
  create(url: string): Promise<{ id: string; secret: string }>;
}

/** A request that the receiver answered, or began to read. */
interface Step {
  event: number;
  /** `sent`: the request arrived. `taken`: the receiver answers 204. */
  kind: 'sent' | 'taken';
}

/** A reader with the steps of its receiver. */
export interface WebhookReader extends Reader {
  id: string;
  steps: Step[];
}

/** Starts a receiver that verifies signatures, and creates a webhook for it. */
export async function receiveWebhook({ name, random, create, ...filter }: WebhookOptions): Promise<WebhookReader> {
  const received = new Received();
  const steps: Step[] = [];
  const problems: string[] = [];
  const server = createServer();
  const webhook = await create(`http://localhost:${await listen(server)}`);
  const verifier = new Verifier(webhook.secret);

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const id = String(request.headers['webhook-id']);
    const event = numberOf(id);
    steps.push({ event, kind: 'sent' });
    try {
      verifier.verify(body, request.headers as Record<string, string>);
    } catch (error) {
      problems.push(`event ${id}: ${String(error)}`);
    }
    if (random) {
      const fate = random.below(1);
      if (fate < 0.01) return void request.socket.destroy();
      if (fate < 0.02) return void response.writeHead(random.oneOf(400, 404, 500, 503)).end();
      if (fate < 0.1) await pause(random.below(300));
    }
    received.add(id);
    steps.push({ event, kind: 'taken' });
    response.writeHead(204).end();
  }
  // A broken request is sent again.
  server.on('request', (request, response) => void receive(request, response).catch(() => undefined));
  return {
    name,
    id: webhook.id,
    ...filter,
    condition: `(${filter.condition}) and (epoch, transaction_id, sequence) > (select epoch, transaction_id, sequence from events where type = 'webhook.created' and record_id = '${webhook.id}')`,
    received,
    steps,
    problems,
    delivery: 'repeated',
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
