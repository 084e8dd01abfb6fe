import { expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { ana } from './contract/realm-data.ts';
import { adminClient, passwordGrant } from './contract/requests.ts';
import { startLocalProvider } from './local-provider.ts';

const idp = duringTests(
  () => startLocalProvider(),
  ({ stop }) => stop(),
);

const certs = () => fetch(`${idp.realmUrl}/protocol/openid-connect/certs`);
const tokenStatus = async () => (await passwordGrant(idp, ana.email, ana.password)).status;

test('a fault of the admin API leaves keys and tokens working, and ends when it is reset', async () => {
  const admin = await adminClient(idp);
  idp.faults.admin = 'refuse';
  await expect(admin.users.count()).rejects.toThrow(TypeError);
  idp.faults.admin = '500';
  await expect(admin.users.count()).rejects.toMatchObject({ response: { status: 500 } });
  idp.faults.admin = 'hang';
  admin.timeout = 200;
  await expect(admin.users.count()).rejects.toMatchObject({ name: 'TimeoutError' });
  expect((await certs()).status).toBe(200);
  expect(await tokenStatus()).toBe(200);
  idp.faults.admin = 'none';
  delete admin.timeout;
  expect(await admin.users.count()).toBe(2);
});

test('a fault of the mail server makes the provider respond with 500 and send no mail', async () => {
  const admin = await adminClient(idp);
  const mail = () => admin.users.executeActionsEmail({ id: ana.id, actions: ['UPDATE_PASSWORD'] });
  idp.faults.mail = '500';
  await expect(mail()).rejects.toMatchObject({ response: { status: 500 } });
  expect(idp.mails).toEqual([]);
  idp.faults.mail = 'none';
  await mail();
  expect(idp.mails).toHaveLength(1);
});

test('stop closes requests that hang', async () => {
  const hanging = await startLocalProvider({ faults: { all: 'hang' } });
  const response = fetch(hanging.mailboxUrl).catch((error: unknown) => error);
  await expect(fetch(hanging.mailboxUrl, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({ name: 'TimeoutError' });
  await hanging.stop();
  expect(await response).toBeInstanceOf(TypeError);
});
