import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { launchChromium } from '../../../../../test/chromium.ts';
import type { Provided } from '../../../../../test/provided.ts';
import { newVisitor, type Visitor } from '../../../../../test/visitor.ts';
import { clients, users } from './realm-data.ts';
import { startProvider, type TestedProvider } from './start-provider.ts';
import { signIn, startWebApplication } from './web-application.ts';

/** The user who logs in. The login page of the stand-in lists her. */
export const user = { ...users[0]!, hint: 'Global user' };
export const chromium: Provided['chromium'] = inject('chromium');

/** A web application with a login library, the provider at which it logs in, and a new visitor for each test. */
export interface LibraryWorld {
  idp: TestedProvider;
  /** The application's origin. It is also at the same port of 127.0.0.1, which is another site than the provider's. */
  origin: string;
  visitor: Visitor;
  page: Page;
  /** Starts the login by this script, signs in on the provider's login page, and waits until the application is back. */
  logIn(script: string): Promise<void>;
}

/**
 * The application with the code of one section of docs/use/single-page-app-login.md, while the tests of a `describe` run.
 * @param main the script of the application's pages
 */
export function useLibraryWorld(section: string, main: string): LibraryWorld {
  const world = {} as LibraryWorld & { newVisitor(): Promise<Visitor>; stop(): Promise<void> };
  beforeAll(async () => void Object.assign(world, await startLibraryWorld(section, main)));
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.visitor = await world.newVisitor();
    world.page = world.visitor.page;
  });
  afterEach(() => world.visitor.leave());
  world.logIn = async (script) => {
    await world.page.evaluate(`void ${script}`);
    await signIn(world.page, user, world.idp.realmUrl);
    await world.page.waitForURL((url) => url.port === new URL(world.origin).port);
  };
  return world;
}

async function startLibraryWorld(section: string, main: string) {
  const app = await startWebApplication();
  const { origin } = app;
  const client = { clientId: 'web', public: true, redirectUris: [`${origin}/*`, `${origin.replace('localhost', '127.0.0.1')}/*`] };
  const idp = await startProvider({ clients: [...clients, client], users: [user] });
  const demo = { 'http://localhost:3001/realms/profile': idp.realmUrl, 'http://localhost:3001': idp.url, 'http://localhost:3000': origin };
  app.serve({ ...guideFiles(section, { ...demo, "'profile'": `'${idp.realm}'` }), '/main.js': main });
  const browser = await launchChromium(chromium ?? '');
  return {
    idp,
    origin,
    newVisitor: () => newVisitor(browser),
    async stop() {
      await browser.close();
      await idp.stop();
      await app.stop();
    },
  };
}

/** The files of one section of docs/use/single-page-app-login.md by path. The first line of each block names its file. The addresses of the demo are replaced. */
function guideFiles(section: string, replacements: Record<string, string>): Record<string, string> {
  const guide = readFileSync(fileURLToPath(new URL('../../../../../docs/use/single-page-app-login.md', import.meta.url)), 'utf8');
  const text = guide.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const blocks = [...text.matchAll(/```(?:js|html)\n(?:\/\/|<!--) (\S+)(?: -->)?\n(.*?)```/gs)];
  const replaced = (content: string) => Object.entries(replacements).reduce((done, [from, to]) => done.replaceAll(from, to), content);
  return Object.fromEntries(blocks.map(([, name = '', content = '']) => [`/${name}`, replaced(content)]));
}
