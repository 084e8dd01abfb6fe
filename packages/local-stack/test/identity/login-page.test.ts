import type { Browser as Chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { violations } from '../../../../test/axe.ts';
import { launchChromium } from '../../../../test/chromium.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { Browser } from '../../../../test/page-browser.ts';
import type { Provided } from '../../../../test/provided.ts';
import { newVisitor } from '../../../../test/visitor.ts';
import { ana, users } from './contract/realm-data.ts';
import { adminClient, passwordGrant } from './contract/requests.ts';
import { startWebApplication } from './contract/web-application.ts';
import { startLocalProvider } from './local-provider.ts';

const [anaSilva, bobSouza] = users;
const demoUsers = [
  { ...anaSilva!, hint: 'Global user' },
  { ...bobSouza!, hint: 'viewer of Harvest' },
  { email: 'eva@example.com', firstName: 'Eva', lastName: 'Melo', password: 'secret of Eva' },
  { email: 'ivo@example.com', firstName: 'Ivo', lastName: 'Reis', hint: 'without a password' },
];

const start = () => startLocalProvider({ users: demoUsers });
const idp = duringTests(start, ({ stop }) => stop());

const loginUrl = ({ realmUrl } = idp, redirectUri = 'http://localhost:5173/back') => {
  const request = { client_id: 'profile-web', response_type: 'code', scope: 'openid', redirect_uri: redirectUri };
  const query = new URLSearchParams({ ...request, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' });
  return `${realmUrl}/protocol/openid-connect/auth?${query.toString()}`;
};

describe('the login page', () => {
  test('lists the users with a hint and a password, and signs them in', async () => {
    const browser = new Browser(idp.url);
    const page = await browser.open(loginUrl());
    const buttons = [...page.text.matchAll(/<button type="submit" name="demo-user" value="([^"]*)">(.*?)<\/button>/gs)];
    const shown = buttons.map(([, value, content = '']) => [
      value,
      ...[...content.matchAll(/<span[^>]*>([^<]*)/g)].map(([, part]) => part),
    ]);
    expect(shown).toEqual([
      [ana.email, 'Ana Silva', ana.email, 'Global user'],
      [bobSouza?.email, 'Bob Souza', bobSouza?.email, 'viewer of Harvest'],
    ]);
    expect((await browser.submit(page, { 'demo-user': ana.email })).url).toMatch(/^http:\/\/localhost:5173\/back\?.*code=/);
  });

  test('signs in a listed user who changed the password or has a new account, after the required actions', async () => {
    const other = await start();
    onTestFinished(() => other.stop());
    const admin = await adminClient(other);
    const select = async (browser = new Browser(other.url)) =>
      browser.submit(await browser.open(loginUrl(other)), { 'demo-user': ana.email });
    const loggedIn = expect.stringMatching(/^http:\/\/localhost:5173\/back\?.*code=/);
    await admin.users.update({ id: ana.id }, { requiredActions: ['UPDATE_PASSWORD'] });
    const browser = new Browser(other.url);
    const form = await select(browser);
    expect(form.text).toContain('password-new');
    expect((await browser.submit(form, { 'password-new': 'another', 'password-confirm': 'another' })).url).toEqual(loggedIn);
    expect((await passwordGrant(other, ana.email, ana.password)).body).toMatchObject({ error_description: 'Invalid user credentials' });
    expect((await select()).url).toEqual(loggedIn);

    await admin.users.del({ id: ana.id });
    expect((await select()).text).toContain('Invalid username or password.');
    await admin.users.create({ email: ana.email, firstName: 'Ana', lastName: 'Silva', enabled: true });
    expect((await select()).url).toEqual(loggedIn);
  });

  test.each(['eva@example.com', 'nobody@example.com'])('does not sign in %s, who is not listed', async (email) => {
    const browser = new Browser(idp.url);
    const page = await browser.submit(await browser.open(loginUrl()), { 'demo-user': email });
    expect(page.text).toContain('Invalid username or password.');
  });
});

const chromium: Provided['chromium'] = inject('chromium');

describe.skipIf(chromium === null)('in a browser', () => {
  let opened: Chromium;
  beforeAll(async () => {
    opened = await launchChromium(chromium ?? '');
  });
  afterAll(() => opened?.close());

  test.each(['light', 'dark'] as const)(
    'with %s colours, the pages have no violation of the rules of axe, and no error in the console',
    async (colorScheme) => {
      const { page, leave } = await newVisitor(opened, { colorScheme });
      await page.goto(loginUrl());
      expect(await violations(page)).toEqual([]);
      await page.fill('#username', ana.email);
      await page.fill('#password', 'wrong');
      await page.click('#kc-form-login [type=submit]');
      await page.waitForSelector('[role=alert]');
      expect(await violations(page)).toEqual([]);

      const admin = await adminClient(idp);
      await admin.users.executeActionsEmail({ id: ana.id, actions: ['UPDATE_PASSWORD'] });
      await page.goto(idp.mailboxUrl);
      expect(await violations(page)).toEqual([]);
      await page.click('text=Open the link in this mail');
      await page.waitForSelector('#password-new');
      expect(await violations(page)).toEqual([]);
      await leave();
    },
  );

  test('a listed user signs in with the keyboard, and logs out on the page of the provider', async () => {
    const app = await startWebApplication();
    app.serve({ '/main.js': '' });
    const { page, leave } = await newVisitor(opened);
    await page.goto(loginUrl(idp, `${app.origin}/back`));
    // The browser focuses the e-mail some time after the page has loaded.
    await page.waitForSelector('#username:focus');
    // From the focused e-mail: password, the button of the form, the first user, the second user.
    for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.value')).toBe(bobSouza?.email);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/back\?.*code=/);
    await page.goto(`${idp.realmUrl}/protocol/openid-connect/logout`);
    expect(await violations(page)).toEqual([]);
    await page.click('text=Logout');
    await page.waitForSelector('text=You are logged out');
    expect(await violations(page)).toEqual([]);
    await leave();
    await app.stop();
  });
});
