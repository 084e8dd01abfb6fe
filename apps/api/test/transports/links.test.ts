import type { ProfileRouter } from '@profile-service/client';
import { absentId } from '@profile-service/contracts/examples';
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, type TRPCClient, type TRPCClientError } from '@trpc/client';
import { beforeAll, describe, expect, test } from 'vitest';
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

  test('gets the outputs of queries', async () => {
    const [person, people] = await Promise.all([client.users.get.query({ id: member.id }), client.users.list.query({ limit: 1 })]);
    expect([person.id, people.data.length]).toEqual([member.id, 1]);
  });

  test('gets the outputs of mutations, and an absent output as undefined', async () => {
    const names = ['Ação "1"', '漢字\u2028\\'];
    const created = await Promise.all(names.map((name) => client.apps.create.mutate({ name: `${link} ${name}` })));
    expect(created.map(({ name }) => name)).toEqual(names.map((name) => `${link} ${name}`));
    expect(await Promise.all(created.map(({ id }) => client.apps.remove.mutate({ id })))).toEqual([undefined, undefined]);
  });

  test('gets the problem of each call that fails', async () => {
    const calls = [
      client.users.get.query({ id: absentId }),
      client.users.get.query({ id: '1' }),
      client.users.get.query({ id: member.id }),
    ];
    const codes = (await Promise.allSettled(calls)).map((call) =>
      call.status === 'rejected' ? (call.reason as TRPCClientError<ProfileRouter>).data?.problem.code : 'success',
    );
    expect(codes).toEqual(['USER_NOT_FOUND', 'VALIDATION_FAILED', 'success']);
  });

  test('gets a list that the service encodes in parts', async () => {
    const input = { tenantId: tenant.id };
    const [first, apps, second] = await Promise.all([
      client.tenants.organizations.query(input),
      client.apps.list.query(),
      client.tenants.organizations.query(input),
    ]);
    expect([first.data.length, apps.currentPage, second.data]).toEqual([organizations, 1, first.data]);
  });
});
