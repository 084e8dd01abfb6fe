import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { acceptsIdempotencyKey, endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import type { Actor } from '../support/api.ts';
import { lookInto, pdf } from '../support/files.ts';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';

/** The typed client behind a proxy that loses responses. */
const fixture = useFixture();
let proxy: LossyProxy;
let client: ProfileClient;
beforeAll(async () => {
  proxy = await startLossyProxy(fixture.world.service.url);
  client = clientOf(fixture.world.global);
});
afterAll(async () => {
  await proxy.stop();
});
beforeEach(() => void proxy.takeRequests());

const clientOf = ({ token = '' }: Actor) => createProfileClient({ url: proxy.url, token: () => token });
const changes = async (operation: string) =>
  (await fixture.world.sql('select 1 from audit_entries where operation = $1', [operation])).length;

/** The mutation of a client with this name. */
function mutationOf(of: ProfileClient, name: string): (input: object) => Promise<unknown> {
  type Node = Record<string, object> & { mutate(input: object): Promise<unknown> };
  const procedure = name.split('.').reduce<object>((node, key) => (node as Node)[key]!, of) as Node;
  return (input) => procedure.mutate(input);
}

const creations = endpoints.filter(({ endpoint }) => acceptsIdempotencyKey(endpoint) && endpoint.media === 'json');

test.each(creations)('$name changes one record, although two responses are lost', async ({ name, endpoint }) => {
  const { actor: valid, input } = await validCall(fixture, name, endpoint);
  // The organization of the sample is already linked to the tenant of the fixture.
  const actor = name === 'service.organizations.link' ? fixture.foreign.service : valid;
  const before = await changes(name);
  proxy.loseNext(2);
  const created = await mutationOf(clientOf(actor), name)(input);
  expect(await changes(name)).toBe(before + 1);
  expect(proxy.takeRequests()).toBe(3);
  expect(created).toEqual(expect.any(Object));
});

test('each creation of a lost batch is repeated and happens once', async () => {
  const names = Array.from({ length: 20 }, () => fixture.world.newTaxId());
  proxy.loseNext(1);
  const created = await Promise.all(names.map((name) => client.apps.create.mutate({ name })));
  expect(created.map(({ name }) => name)).toEqual(names);
  expect(new Set(created.map(({ id }) => id)).size).toBe(names.length);
  const rows = await fixture.world.sql('select 1 from apps where name = any($1)', [names]);
  expect(rows).toHaveLength(names.length);
});

test('the upload of a Blob stores one file, although two responses are lost', async () => {
  const [before, stored] = [await changes('attachments.create'), (await lookInto(fixture.world).keys()).length];
  proxy.loseNext(2);
  await client.attachments.upload(pdf());
  expect(await changes('attachments.create')).toBe(before + 1);
  expect(await lookInto(fixture.world).keys()).toHaveLength(stored + 1);
});
