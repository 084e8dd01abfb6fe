import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
// A table of your database in production.
const seen = new Set();
const handle = (id, event) => console.log(id, event.type);

const app = express();

// The signature is about the bytes of the body. `express.json()` would change them.
app.post('/webhooks', express.raw({ type: 'application/json', limit: '2mb' }), (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers);
  } catch {
    return response.sendStatus(400);
  }
  const id = request.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  response.sendStatus(204);
  if (isNew) handle(id, event);
});

app.listen(process.env.PORT ?? 4000, () => console.log('Listening'));
