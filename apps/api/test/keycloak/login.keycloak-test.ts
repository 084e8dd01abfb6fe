import { decodeJwt } from 'jose';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkIn } from '../../../../test/keycloak/smtp-sink.ts';
import type { Permissions, User } from '../support/records.ts';
import { frontend, type FrontendBrowser, logIn, startBrowser } from './support/browser.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { addExceptionRole, addRealmRole, createUser } from './support/logins.ts';

const world = useKeycloakWorld({ imported: true });
let browser: FrontendBrowser;
let page: Page;
beforeAll(async () => void (browser = await startBrowser(world.realm.url)));
afterAll(() => browser.stop());
beforeEach(async () => {
  page = await browser.open();
});
afterEach(() => page.context().close());

/** Sends a request to the service from the page, as a frontend does. Returns status and body. */
const ask = (path: string, token: string): Promise<{ status: number; body: Permissions }> =>
  page.evaluate(
    async ([url = '', bearer]) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
      return { status: response.status, body: (await response.json()) as Permissions };
    },
    [world.service.url + path, token],
  );

test('a login with code and PKCE gives the frontend tokens with the exception roles and super_admin of the user', async () => {
  const user = await createUser(world);
  await addExceptionRole(world, user.subject, 'apps:read');
  await addRealmRole(world, user.subject, 'super_admin');
  const token = await logIn(page, user);
  expect(decodeJwt(token)).toMatchObject({
    azp: 'profile-web',
    realm_access: { roles: ['super_admin'] },
    resource_access: { 'profile-service': { roles: ['apps:read'] } },
  });
  const { status, body } = await ask('/api/me/permissions', token);
  expect([status, body]).toMatchObject([200, { email: user.email, isSuperAdmin: true }]);
});

test('the link of the password mail leads through both actions, back to the frontend and to a first login', async () => {
  const { body: user } = await world.call<User>(world.global, 'POST /api/users', world.newPerson());
  const password = 'a password of my own';
  await expect.poll(() => world.realm.smtp.mailsTo(user.email)).toHaveLength(1);
  const [mail] = await world.realm.smtp.mailsTo(user.email);
  await page.goto(linkIn(mail!));
  await page.click('text=Click here to proceed');
  await page.fill('#password-new', password);
  await page.fill('#password-confirm', password);
  await page.click('[type=submit]');
  await expect.poll(() => page.textContent('body')).toContain('Your account has been updated.');
  await page.click('text=Back to Application');
  await page.waitForURL(`${frontend}/`);

  expect(await world.realm.admin.users.findOne({ id: user.idIdentity })).toMatchObject({ emailVerified: true, requiredActions: [] });
  const { status, body } = await ask('/api/me/permissions', await logIn(page, { email: user.email, password }));
  expect([status, body.userId]).toEqual([200, user.id]);
});
