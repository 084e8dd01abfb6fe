import { createProfileClient, type ProfileClient, type ProfileError } from '@profile-service/client';
import { acceptsIdempotencyKey, endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

const clientOf = ({ token = '' }: Actor, maxAttempts = 3) => createProfileClient({ url: proxy.url, token: () => token, maxAttempts });
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

test('without a key, a contact whose response is lost exists twice after the second attempt', async () => {
  const { input } = await validCall(
    fixture,
    'organizationContacts.create',
    endpoints.find(({ name }) => name === 'organizationContacts.create')!.endpoint,
  );
  const once = mutationOf(clientOf(fixture.world.global, 1), 'organizationContacts.create');
  const before = await changes('organizationContacts.create');
  proxy.loseNext(1);
  await expect(once(input)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  await once(input);
  expect(await changes('organizationContacts.create')).toBe(before + 2);
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

test('only the failed creations of a batch are repeated or reported', async () => {
  const name = fixture.world.newTaxId();
  const results = await Promise.allSettled([name, name, fixture.world.newTaxId()].map((each) => client.apps.create.mutate({ name: each })));
  const codes = results.map((result) => (result.status === 'rejected' ? (result.reason as ProfileError).code : 'created'));
  expect(codes.toSorted()).toEqual(['APP_ALREADY_EXISTS', 'created', 'created']);
  expect(proxy.takeRequests()).toBe(1);
});

describe('the upload', () => {
  test('of a Blob stores one file, although two responses are lost', async () => {
    const [before, stored] = [await changes('attachments.create'), (await lookInto(fixture.world).keys()).length];
    proxy.loseNext(2);
    const { id, etag } = await client.attachments.upload(pdf());
    expect(await changes('attachments.create')).toBe(before + 1);
    expect(await lookInto(fixture.world).keys()).toHaveLength(stored + 1);
    expect((await client.attachments.download(id)).etag).toBe(etag);
    expect(await client.attachments.remove.mutate({ id, etag })).toBeUndefined();
  });

  test('of a stream is not repeated', async () => {
    proxy.loseNext(1);
    const stream = pdf().stream() as unknown as AsyncIterable<Uint8Array>;
    await expect(client.attachments.upload(stream, { filename: 'a.pdf' })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(proxy.takeRequests()).toBe(1);
  });
});

test('queries and downloads are repeated', async () => {
  const { id } = await client.attachments.upload(pdf());
  proxy.loseNext(1);
  expect((await client.attachments.list.query({})).data.map((attachment) => attachment.id)).toContain(id);
  proxy.loseNext(2);
  expect((await client.attachments.download(id)).size).toBe(1000);
});

test('an update or a removal whose response is lost was done once and is not repeated', async () => {
  const app = await client.apps.create.mutate({ name: fixture.world.newTaxId() });
  const name = fixture.world.newTaxId();
  const [updates, removals] = [await changes('apps.update'), await changes('apps.remove')];
  proxy.takeRequests();
  proxy.loseNext(1);
  await expect(client.apps.update.mutate({ ...app, name })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  const current = await client.apps.get.query(app);
  expect(current.name).toBe(name);
  proxy.loseNext(1);
  await expect(client.apps.remove.mutate(current)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  expect([await changes('apps.update'), await changes('apps.remove')]).toEqual([updates + 1, removals + 1]);
  expect(proxy.takeRequests()).toBe(3);
});
