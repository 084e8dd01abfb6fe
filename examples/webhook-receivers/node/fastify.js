import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
// A table of your database in production.
const seen = new Set();
const handle = (id, event) => console.log(id, event.type);

const app = Fastify({ bodyLimit: 2 * 1024 * 1024 });

// The signature is about the bytes of the body. Without this parser, Fastify parses them.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request, body) => body);

app.post('/webhooks', async (request, reply) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers);
  } catch {
    return reply.code(400).send();
  }
  const id = request.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  reply.code(204).send();
  if (isNew) handle(id, event);
  return reply;
});

await app.listen({ port: Number(process.env.PORT ?? 4000), host: '0.0.0.0' });
console.log('Listening');
