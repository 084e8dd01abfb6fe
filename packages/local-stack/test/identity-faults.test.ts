import { NetworkError } from '@keycloak/keycloak-admin-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../src/identity/provider.ts';
import { adminClient, ana, passwordGrant, startRealm } from './identity-realm.ts';

let idp: IdentityProvider;

beforeEach(async () => {
  idp = await startRealm();
});
afterEach(() => idp.stop());

const certs = (signal?: AbortSignal) => fetch(`${idp.realmUrl}/protocol/openid-connect/certs`, signal ? { signal } : {});

describe('the admin API', () => {
  test('can be away, answer 500 or never answer, and works again afterwards', async () => {
    const admin = await adminClient(idp);
    idp.faults.admin = 'refuse';
    await expect(admin.users.count()).rejects.toThrow(TypeError);
    idp.faults.admin = '500';
    await expect(admin.users.count()).rejects.toMatchObject({ response: { status: 500 } });
    idp.faults.admin = 'hang';
    admin.timeout = 200;
    await expect(admin.users.count()).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await certs()).status).toBe(200);
    expect((await passwordGrant(idp, ana.email, ana.password)).status).toBe(200);
    idp.faults.admin = 'none';
    expect(await admin.users.count()).toBe(2);
  });
});

describe('the mail server', () => {
  test.each(['refuse', '500'] as const)(
    'that is to fail with %s makes the provider answer 500, without a mail, and the user stays',
    async (mode) => {
      const admin = await adminClient(idp);
      idp.faults.mail = mode;
      const error = await admin.users.executeActionsEmail({ id: ana.id, actions: ['UPDATE_PASSWORD'] }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        response: { status: 500 },
        responseData: { errorMessage: expect.stringContaining('Failed to send execute actions email') },
      });
      expect(idp.mails).toEqual([]);
      expect(await admin.users.findOne({ id: ana.id })).toMatchObject({ email: ana.email });
      idp.faults.mail = 'none';
      await admin.users.executeActionsEmail({ id: ana.id, actions: ['UPDATE_PASSWORD'] });
      expect(idp.mails).toHaveLength(1);
    },
  );

  test('that hangs leaves the caller waiting until its own patience ends', async () => {
    const admin = await adminClient(idp);
    admin.timeout = 200;
    idp.faults.mail = 'hang';
    const sent = admin.users.executeActionsEmail({ id: ana.id, actions: ['UPDATE_PASSWORD'] });
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(idp.mails).toEqual([]);
  });
});

test('keys and tokens fail separately', async () => {
  idp.faults.keys = '500';
  expect((await certs()).status).toBe(500);
  expect((await fetch(`${idp.realmUrl}/.well-known/openid-configuration`)).status).toBe(500);
  expect((await passwordGrant(idp, ana.email, ana.password)).status).toBe(200);
  Object.assign(idp.faults, { keys: 'none', token: '500' });
  expect((await certs()).status).toBe(200);
  expect((await passwordGrant(idp, ana.email, ana.password)).status).toBe(500);
});

test('all of it can be away or hang, from the start on too, and stop still ends it', async () => {
  idp.faults.all = 'refuse';
  await expect(certs()).rejects.toThrow(TypeError);
  await expect(fetch(idp.mailboxUrl)).rejects.toThrow(TypeError);
  const hanging = await startRealm({ faults: { all: 'hang' } });
  const waiting = fetch(hanging.mailboxUrl);
  await expect(fetch(hanging.mailboxUrl, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({ name: 'TimeoutError' });
  await hanging.stop();
  await expect(waiting).rejects.toThrow(TypeError);
});
