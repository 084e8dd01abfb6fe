import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { launchChromium } from '../../../../../test/chromium.ts';
import { realmSettings } from '../../../../../test/keycloak/realm-file.ts';

/** The frontend's address in the realm file. */
export const frontend = realmSettings.WEB_URL;

export interface FrontendBrowser {
  /** Opens the frontend as a new visitor, without cookies. */
  open(): Promise<Page>;
  stop(): Promise<void>;
}

/**
 * Starts Chromium without a window. At the frontend's address it finds a page with the login library oidc-client-ts, without a server.
 * @param realmUrl the issuer  @throws Error if Chromium is not installed
 */
export async function startBrowser(realmUrl: string): Promise<FrontendBrowser> {
  const executablePath = inject('chromium');
  if (!executablePath) throw new Error('Chromium is missing: install it (Debian: apt-get install chromium).');
  const library = await readFile(new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')), 'utf8');
  const settings = { authority: realmUrl, client_id: 'profile-web', redirect_uri: `${frontend}/callback` };
  const script = `${library}\nvar users = new oidc.UserManager(${JSON.stringify(settings)});`;
  const body = `<!doctype html><title>Frontend</title><script>${script}</script>`;
  // Chromium would count the page, which no server has sent, as public, and block its requests to this machine.
  const browser = await launchChromium(executablePath, ['--disable-features=LocalNetworkAccessChecks']);
  return {
    async open() {
      const context = await browser.newContext();
      await context.route(`${frontend}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
      const page = await context.newPage();
      await page.goto(`${frontend}/`);
      return page;
    },
    stop: () => browser.close(),
  };
}

/** Logs in on the provider's page, and redeems the code in the browser. Returns the access token. */
export async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<string> {
  await page.evaluate('void users.signinRedirect()');
  await page.fill('#username', email);
  await page.fill('#password', password);
  await page.click('#kc-form-login [type=submit]');
  await page.waitForURL(`${frontend}/callback*`);
  return page.evaluate('users.signinCallback().then((user) => user.access_token)');
}
