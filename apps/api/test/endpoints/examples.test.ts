import { describe, expect, test } from 'vitest';
import { insertDelivery } from '../support/deliveries.ts';
import { form, organizationsFile, pdf } from '../support/files.ts';
import { startWorld, type World } from '../support/world.ts';
import { deliveryId, exampleRequests, type ExampleRequest } from './document-examples.ts';

/** The `identityClientId` of the tenant in the examples. */
const clientId = 'granary';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const idsIn = ({ path, body }: ExampleRequest): string[] => `${path} ${JSON.stringify(body)}`.match(uuid) ?? [];

/** curl reads the value `@estatuto.pdf` from a file. */
const partOf = (value: string): string | File =>
  value.startsWith('@') ? (value.endsWith('.csv') ? organizationsFile() : pdf(value.slice(1))) : value;
const formOf = (fields: object): FormData =>
  form(...Object.entries(fields).map(([name, value]): [string, string | File] => [name, partOf(String(value))]));

/** Sends requests as the document prints them, except that the id of each created record replaces the id in the examples. */
function exampleSender(world: World) {
  const ids = new Map<string, string>();
  const withIds = (text: string) => text.replaceAll(uuid, (id) => ids.get(id) ?? id);
  return {
    /** Whether the records that the request refers to exist. */
    isReady: (request: ExampleRequest) => idsIn(request).every((id) => ids.has(id)),

    /** Returns what is compared with `accepted`. */
    async send({ name, method, path, body, isForm, response }: ExampleRequest) {
      const actor = isService({ path }) ? { token: await world.serviceToken(clientId) } : world.global;
      const sent = body && (JSON.parse(withIds(JSON.stringify(body))) as object);
      const answer = await world.call<{ id?: string }>(actor, `${method} ${withIds(path)}`, sent && isForm ? formOf(sent) : sent);
      if (method === 'POST' && response?.id && answer.body.id) ids.set(response.id, answer.body.id);
      // No request creates a delivery.
      if (name === 'POST /api/webhooks' && answer.body.id)
        ids.set(deliveryId, (await insertDelivery(world, { webhookId: answer.body.id })).id);
      return { name, status: answer.status, problem: answer.code && answer.body };
    },
  };
}

const accepted = ({ name, success }: ExampleRequest) => ({ name, status: success, problem: undefined });

const isService = ({ path }: Pick<ExampleRequest, 'path'>): boolean => path.startsWith('/service/');
/** States and cities come first, since other records refer to them by their codes. Applications come last: their tokens need a tenant. */
const order = (request: ExampleRequest): number => (isService(request) ? 2 : ['States', 'Cities'].includes(request.tag ?? '') ? 0 : 1);
const creations = exampleRequests.filter(({ method }) => method === 'POST').toSorted((a, b) => order(a) - order(b));
/** Whether another operation with the same body would create the same record. */
const hasTwin = (request: ExampleRequest): boolean =>
  creations.some((other) => other !== request && other.body !== undefined && other.schema === request.schema);
// A DELETE has no example besides the id.
const later = exampleRequests.filter(({ method }) => method === 'GET' || method === 'PUT');

describe.each([
  { prefix: '/api', byService: false },
  { prefix: '/service', byService: true },
])('if organizations are created under $prefix', ({ byService }) => {
  test('every request example is accepted as the document prints it', async () => {
    // The test of the webhook has no receiver.
    const world = await startWorld({ WEBHOOK_TIMEOUT_SECONDS: '1' });
    try {
      const { isReady, send } = exampleSender(world);
      const waiting = creations.filter((request) => !hasTwin(request) || isService(request) === byService);
      while (waiting.length > 0) {
        const [next] = waiting.splice(waiting.findIndex(isReady), 1);
        if (!next || !isReady(next)) throw new Error(`${next?.name} refers to a record that no example creates`);
        expect(await send(next)).toEqual(accepted(next));
      }
      for (const request of later) expect(await send(request)).toEqual(accepted(request));
    } finally {
      await world.stop();
    }
  });
});
