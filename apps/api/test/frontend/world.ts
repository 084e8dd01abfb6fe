import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createProfileClient } from '@profile-service/client';
import { inject, onTestFinished } from 'vitest';
import { launchChromium } from '../../../../test/chromium.ts';
import { createTestDatabaseWithMap } from '../../../../test/database.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { freePort } from '../../../../test/free-port.ts';
import { inherited } from '../../../../test/inherited.ts';
import { startEmbeddedServices } from '../../local/embedded.ts';
import { logIn } from '../../local/log-in.ts';
import { seedDemoData } from '../../local/seed.ts';
import { startService } from '../../src/service/service.ts';
import { readSettings } from '../../src/settings.ts';
import { root } from '../support/project-files.ts';
import { visit } from './visit.ts';

/** Path of the browser, or null. */
export const chromium = inject('chromium');

/** Starts the service with the demo data of `npm start`, the built page of the example, and a browser, for the tests of a `describe`. */
export function usePage() {
  const world = duringTests(
    () => startFrontendWorld(chromium ?? ''),
    (started) => started.stop(),
  );
  /** Opens the page as a new visitor, without cookies, for one test. */
  const open = async () => {
    const opened = await world.open();
    onTestFinished(opened.close);
    return opened;
  };
  return {
    open,
    /** Opens the page and signs in. */
    async signIn(email: string) {
      const opened = await open();
      await opened.signIn(email);
      return opened;
    },
    /** Logs a demo user in, and returns a client that calls the service beside the page. */
    login: (email: string) => world.login(email),
  };
}

async function startFrontendWorld(browserPath: string) {
  const folder = await mkdtemp(join(await fastFolder(), 'profile-frontend-'));
  const port = await freePort();
  const pageUrl = `http://localhost:${port}`;
  const connectionString = await createTestDatabaseWithMap();
  const settings = { DATABASE_URL: connectionString, CORS_ORIGINS: pageUrl, PORT: '0', LOG_LEVEL: 'silent' };
  const embedded = await startEmbeddedServices(settings, folder, 0);
  const realmUrl = embedded.identity?.realmUrl ?? '';
  const service = await startService(readSettings(embedded.environment));
  const variables = { VITE_PROFILE_URL: service.url, VITE_REALM_URL: realmUrl };
  const [page, browser] = await Promise.all([
    servePage(variables, port, join(folder, 'page')),
    launchChromium(browserPath),
    seedDemoData(service.url, realmUrl, { connectionString }),
  ]);
  const origins = [pageUrl, ...Object.values(variables).map((url) => new URL(url).origin)];
  return {
    open: () => visit(browser, pageUrl, { origins }),
    async login(email: string) {
      return createProfileClient({ url: service.url, token: await logIn(realmUrl, email) });
    },
    async stop() {
      await browser.close();
      await page.stop();
      await service.stop();
      await embedded.stop();
      await rm(folder, { recursive: true });
    },
  };
}

const example = join(root, 'examples/frontend');
const vite = join(example, 'node_modules/vite/bin/vite.js');

/** Builds the example with these variables of its `.env`, and serves the files with its headers, as `npm run build` and `npm run preview` do. */
async function servePage(settings: Record<string, string>, port: number, outDir: string) {
  const options = { cwd: example, env: { ...inherited, ...settings } };
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir'], options);
  const args = [vite, 'preview', '--outDir', outDir, '--port', String(port), '--strictPort'];
  const server = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stdout)
      .on('line', (line) => {
        if (line.includes('Local')) resolve();
      })
      .on('close', () => reject(new Error('vite preview exited')));
  });
  return {
    async stop() {
      server.kill();
      await exited;
    },
  };
}
