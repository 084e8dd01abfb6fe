import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { listen } from '../../../../../test/listen.ts';
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
 * Starts Debian's Chromium without a window. At the frontend's address it finds a page with the login library oidc-client-ts.
 * @param realmUrl the issuer  @throws Error if Chromium is not installed
 */
export async function startBrowser(realmUrl: string): Promise<FrontendBrowser> {
  const executablePath = inject('chromium');
  if (!executablePath) throw new Error('Chromium is missing: install it (Debian: apt-get install chromium).');
  const content = await pageContent(realmUrl);
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(content));
  const port = await listen(server);
  // The port of the frontend may be in use on this machine, so the page is on another one.
  const mapping = `MAP ${new URL(frontend).host} 127.0.0.1:${port}`;
  const browser = await launchChromium(executablePath, [`--host-resolver-rules=${mapping}`]);
  return {
    async open() {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${frontend}/`);
      return page;
    },
    async stop() {
      await browser.close();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function pageContent(realmUrl: string): Promise<string> {
  const file = new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts'));
  const settings = JSON.stringify({
    authority: realmUrl,
    client_id: 'profile-web',
    redirect_uri: `${frontend}/callback`,
    post_logout_redirect_uri: `${frontend}/bye`,
  });
  const script = `${await readFile(file, 'utf8')}\nvar users = new oidc.UserManager(${settings});`;
  return `<!doctype html><title>Frontend</title><script>${script}</script>`;
}

/** Sends the visitor to the provider's page, and fills it in. */
export async function enterLogin(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.evaluate('void users.signinRedirect()');
  await page.fill('#username', email);
  await page.fill('#password', password);
  await page.click('#kc-form-login [type=submit]');
}

/** Logs in, and redeems the code in the browser. Returns the access token. */
export async function logIn(page: Page, login: { email: string; password: string }): Promise<string> {
  await enterLogin(page, login);
  await page.waitForURL(`${frontend}/callback*`);
  return page.evaluate('users.signinCallback().then((user) => user.access_token)');
}
