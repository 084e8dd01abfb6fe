import type { Page } from 'playwright-core';
import { launchChromium } from '../../../../../test/chromium.ts';
import { newVisitor, type Visitor } from '../../../../../test/visitor.ts';
import { guideFiles } from './guide-blocks.ts';
import { clients, users } from './realm-data.ts';
import { startProvider } from './start-provider.ts';
import type { TestedProvider } from './tested-provider.ts';
import { signIn, startWebApplication } from './web-application.ts';

/** The user who logs in. The login page of the stand-in lists her. */
export const user = { ...users[0]!, hint: 'Global user' };

/** A web application with a login library, and the provider at which it logs in. */
export interface LibraryWorld {
  idp: TestedProvider;
  /** The application's origin. It is also at the same port of 127.0.0.1, which is another site than the provider's. */
  origin: string;
  /** A new visitor with an empty page. */
  visitor(): Promise<Visitor>;
  /** Signs in on the provider's login page, and waits until the application is back. */
  signIn(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the application with the code of one section of docs/use/single-page-app-login.md.
 * @param main the script of the application's pages
 */
export async function startLibraryWorld(chromium: string, section: string, main: string): Promise<LibraryWorld> {
  const app = await startWebApplication();
  const { origin } = app;
  const otherSite = origin.replace('localhost', '127.0.0.1');
  const client = { clientId: 'web', public: true, redirectUris: [`${origin}/*`, `${otherSite}/*`] };
  const idp = await startProvider({ clients: [...clients, client], users: [user] });
  const demo = { 'http://localhost:3001/realms/profile': idp.realmUrl, 'http://localhost:3001': idp.url, 'http://localhost:3000': origin };
  app.serve({ ...guideFiles(section, { ...demo, "'profile'": `'${idp.realm}'` }), '/main.js': main });
  const browser = await launchChromium(chromium);
  return {
    idp,
    origin,
    visitor: () => newVisitor(browser),
    async signIn(page) {
      await signIn(page, user, idp.realmUrl);
      await page.waitForURL((url) => [origin, otherSite].includes(url.origin));
    },
    async stop() {
      await browser.close();
      await idp.stop();
      await app.stop();
    },
  };
}
