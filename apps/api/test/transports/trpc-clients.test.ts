import type { ProfileClient, ProfileError, ProfileRouter } from '@profile-service/client';
import { absentId } from '@profile-service/contracts/examples';
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, type TRPCClient, type TRPCClientError } from '@trpc/client';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkedOrganizations } from '../support/organizations.ts';
import { useWorld } from '../support/world.ts';

/** The service encodes a longer list than 200 rows in parts. */
const organizations = 501;

const links = { httpLink, httpBatchLink, httpBatchStreamLink };

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'viewer');
beforeAll(async () => {
  await linkedOrganizations(world, tenant.id, organizations);
});

// Rules: TRPC-1, TRPC-4
describe.each(Object.entries(links))('a client with %s', (link, createLink) => {
  let client: TRPCClient<ProfileRouter>;
  beforeAll(() => {
    const options = { url: `${world.service.url}/trpc`, headers: { authorization: `Bearer ${world.global.token}` } };
    client = createTRPCClient<ProfileRouter>({ links: [createLink(options)] });
  });

  test('gets the outputs of mutations, and an absent output as undefined', async () => {
    const names = ['Ação "1"', '漢字\u2028\\'];
    const created = await Promise.all(names.map((name) => client.apps.create.mutate({ name: `${link} ${name}` })));
    expect(created.map(({ name }) => name)).toEqual(names.map((name) => `${link} ${name}`));
    expect(await Promise.all(created.map(({ id }) => client.apps.remove.mutate({ id })))).toEqual([undefined, undefined]);
  });

  test('gets the output of each query, or its problem', async () => {
    const calls = [absentId, '1', member.id].map((id) => client.users.get.query({ id }));
    const results = (await Promise.allSettled(calls)).map((call) =>
      call.status === 'rejected' ? (call.reason as TRPCClientError<ProfileRouter>).data?.problem.code : call.value.id,
    );
    expect(results).toEqual(['USER_NOT_FOUND', 'VALIDATION_FAILED', member.id]);
  });

  test('gets a list that the service encodes in parts', async () => {
    const input = { tenantId: tenant.id };
    const [first, apps, second] = await Promise.all([
      client.tenants.organizations.query(input),
      client.apps.list.query(),
      client.tenants.organizations.query(input),
    ]);
    expect([first.data.length, apps.currentPage, second.data]).toEqual([organizations, 1, first.data]);
    const { body, bytes, headers } = await world.call<object>(world.global, `GET /api/tenants/${tenant.id}/organizations`);
    expect([body, headers.get('content-length')]).toEqual([first, String(bytes.length)]);
  });
});

/** Starts to count requests to procedures. Returns a function that returns the count. */
function countRequests(): () => number {
  const fetched = vi.spyOn(globalThis, 'fetch');
  return () => fetched.mock.calls.filter(([url]) => typeof url === 'string' && url.includes('/trpc/')).length;
}

const codeOf = (error: ProfileError) => error.code;

/** An organization scope with about 39 bytes per id. */
const scopeOf = (userId: string, tenantId: string, ids: number) =>
  ({ userId, tenantId, scope: 'ALL', organizationIds: Array.from({ length: ids }, () => absentId) }) as const;

describe('the typed client', () => {
  let client: ProfileClient;
  beforeAll(() => void (client = world.client(world.global)));
  afterEach(() => vi.restoreAllMocks());

  test('sends two large mutations in two requests, since together they exceed the body limit', async () => {
    const requests = countRequests();
    const set = [1, 2].map(() => client.organizationScopes.set.mutate(scopeOf(member.id, tenant.id, 15_000)));
    await expect(Promise.all(set)).resolves.toHaveLength(2);
    expect(requests()).toBe(2);
  });

  // An input of more than 10,000 bytes has a request of its own.
  test.each([
    [100, 3_310, 1],
    [3, 5_000, 3],
  ])('sends %i inputs with %i characters of three bytes in %i requests', async (inputs, characters, expected) => {
    const requests = countRequests();
    const input = { id: absentId, description: '€'.repeat(characters) };
    const updates = Array.from({ length: inputs }, () => client.documentTypes.update.mutate(input).then(() => 'updated', codeOf));
    expect(new Set(await Promise.all(updates))).toEqual(new Set(['DOCUMENT_TYPE_NOT_FOUND']));
    expect(requests()).toBe(expected);
  });

  test('sends 150 small calls of a kind in two requests, since a batch has at most 100 calls', async () => {
    const requests = countRequests();
    const names = Array.from({ length: 150 }, (_, index) => `App ${index}`);
    const created = await Promise.all(names.map((name) => client.apps.create.mutate({ name })));
    expect(requests()).toBe(2);
    const read = await Promise.all(created.map(({ id }) => client.apps.get.query({ id })));
    expect(read.map(({ name }) => name)).toEqual(names);
  });

  test('throws the 413 of an input over the body limit, and other calls succeed', async () => {
    const tooLarge = client.organizationScopes.set.mutate(scopeOf(absentId, absentId, 27_000));
    const [refused, created] = await Promise.allSettled([tooLarge, client.apps.create.mutate({ name: 'Harvest' })]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { status: 413, code: 'PAYLOAD_TOO_LARGE' } });
    expect(created.status).toBe('fulfilled');
  });
});
