import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityProvider, startIdentityProvider } from '../../src/identity/provider.ts';
import { freePort } from '../../../../test/free-port.ts';
import { Browser } from '../../../../test/page-browser.ts';
import { ana, clients, users } from './contract/realm-data.ts';
import { adminClient, passwordGrant, refreshGrant, verified } from './contract/requests.ts';

let dataDir: string;
let idp: IdentityProvider;
let start: () => Promise<IdentityProvider>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'identity-'));
  // A fixed port keeps the issuer the same.
  const options = { dataDir: join(dataDir, 'identity'), port: await freePort(), clients, users };
  start = () => startIdentityProvider(options);
  idp = await start();
});
afterAll(async () => {
  await idp.stop();
  await rm(dataDir, { recursive: true });
});

test('a restart keeps keys, users, passwords, service accounts, sessions, mails and links', async () => {
  const admin = await adminClient(idp);
  const { id } = await admin.users.create({ email: 'nova@example.com', firstName: 'Nova', lastName: 'Pessoa', enabled: true });
  await admin.users.executeActionsEmail({ id, actions: ['UPDATE_PASSWORD'] });
  const email = 'anna@example.com';
  await admin.users.update({ id: ana.id }, { firstName: 'Anna', email, credentials: [{ type: 'password', value: 'changed' }] });
  const { body } = await passwordGrant(idp, email, 'changed');
  const [mails, people] = [idp.mails, idp.users()];

  await idp.stop();
  idp = await start();

  expect((await verified(idp, body['access_token'])).payload.sub).toBe(ana.id);
  expect([idp.mails, idp.users()]).toEqual([mails, people]);
  expect(await admin.users.findOne({ id: ana.id })).toMatchObject({ firstName: 'Anna' });
  expect((await passwordGrant(idp, email, ana.password)).status).toBe(400);
  const again = await adminClient(idp);
  expect(decodeJwt(again.accessToken ?? '').sub).toBe(decodeJwt(admin.accessToken ?? '').sub);
  const refreshed = await refreshGrant(idp, body['refresh_token']);
  expect(decodeJwt(refreshed.body['access_token'] ?? '')['sid']).toBe(body['session_state']);
  const browser = new Browser(idp.url);
  await browser.submit(await browser.open(mails[0]?.link ?? ''), { 'password-new': 'chosen', 'password-confirm': 'chosen' });
  expect((await passwordGrant(idp, 'nova@example.com', 'chosen')).status).toBe(200);
});

test('the saved files are readable only by their owner and hold no clear-text password', async () => {
  const folder = join(dataDir, 'identity');
  const names = await readdir(folder);
  expect(names.toSorted()).toEqual(['keys.json', 'links.json', 'mails.json', 'sessions.json', 'users.json']);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  const saved = await readFile(join(folder, 'users.json'), 'utf8');
  for (const password of [ana.password, 'changed', 'chosen']) expect(saved).not.toContain(password);
});
