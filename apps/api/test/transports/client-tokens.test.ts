import { clientCredentials, createProfileClient, type TokenRequest } from '@profile-service/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { pdf } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'coordinator');

describe('a client whose token is rejected', () => {
  /** What the token source was told. */
  let requests: TokenRequest[];
  beforeEach(() => (requests = []));
  const client = () => {
    const token = (request: TokenRequest) => {
      requests.push(request);
      return request.rejected === 'expired' ? member.token : 'expired';
    };
    return createProfileClient({ url: world.service.url, token });
  };

  test('sends a batch once more with a new token', async () => {
    const profile = client();
    const [tenants, permissions] = await Promise.all([profile.me.tenants.query(), profile.me.permissions.query()]);
    expect([tenants.data.map(({ id }) => id), permissions.userId]).toEqual([[tenant.id], member.id]);
    expect(requests).toEqual([{}, { rejected: 'expired' }]);
  });

  test('sends an upload and a download once more with a new token', async () => {
    const { id } = await client().attachments.upload(pdf());
    expect((await client().attachments.download(id)).size).toBe(1000);
  });

  test('throws UNAUTHORIZED without another token', async () => {
    const profile = createProfileClient({ url: world.service.url, token: () => 'expired' });
    await expect(profile.me.tenants.query()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    await expect(profile.attachments.upload(pdf())).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });
});

test('clientCredentials gets the token of an application from the token endpoint', async () => {
  const { customerId, appId } = tenant;
  await world.create('POST /api/tenants', { customerId, appId, name: 'Harvest', identityClientId: 'harvest' });
  const tokenUrl = `${world.identity.realmUrl}/protocol/openid-connect/token`;
  const token = clientCredentials({ tokenUrl, clientId: 'harvest', clientSecret: 'test-harvest-secret' });
  const { service } = createProfileClient({ url: world.service.url, token });
  expect(await service.organizations.list.safe()).toMatchObject({ ok: true, data: { total: 0 } });
});
