import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { listen } from '../../../../../test/listen.ts';
import type { UserConfig } from '../../../src/identity/options.ts';

const read = (url: string | URL): string => readFileSync(fileURLToPath(url), 'utf8');
/** The installed libraries as modules. The module of oidc-client-ts imports others, so this is its build for browsers. */
const libraries = {
  '/libraries/keycloak-js.js': read(import.meta.resolve('keycloak-js')),
  '/libraries/oidc-client-ts.js': `${read(new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')))}
    export const { UserManager } = oidc;`,
};
const imports = { 'keycloak-js': '/libraries/keycloak-js.js', 'oidc-client-ts': '/libraries/oidc-client-ts.js' };
const index = `<!doctype html><title>Application</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<body><script type="module" src="/main.js"></script></body>`;

/** Starts a web application on its own origin, which serves the installed login libraries. Unknown paths are its index page, and requests below /api/ are answered with their token. */
export async function startWebApplication() {
  const files: Record<string, string> = { ...libraries };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
    response.end(pathname.startsWith('/api/') ? request.headers.authorization : (files[pathname] ?? index));
  });
  const port = await listen(server);
  return {
    origin: `http://localhost:${port}`,
    /** Serves further files by path. `.js` is a script; everything else is a page. */
    serve: (more: Record<string, string>) => void Object.assign(files, more),
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Signs in on the login page: with the user's button on the stand-in's page, with the form on Keycloak's. */
export async function signIn(page: Page, { email, firstName, lastName, password = '' }: UserConfig, realmUrl: string): Promise<void> {
  await page.waitForURL(`${realmUrl}/**`);
  await page.waitForSelector('#kc-form-login');
  const button = page.getByRole('button', { name: `${firstName} ${lastName}` });
  if ((await button.count()) > 0) return button.click();
  await page.fill('#username', email);
  await page.fill('#password', password);
  await page.click('#kc-form-login [type=submit]');
}
