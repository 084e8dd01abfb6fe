import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import type { VisitorOptions } from '../../../../test/visitor.ts';
import type { Visit } from './visit.ts';
import { type FrontendWorld, startFrontendWorld } from './world.ts';

/** Path of the browser, or null. */
export const chromium = inject('chromium');

interface UsedPage {
  /** Opens the page as a new visitor for one test. */
  open(options?: VisitorOptions): Promise<Visit>;
  /** Opens the page and signs in. */
  signIn(email: string): Promise<Visit>;
  /** Logs a demo user in, and returns a client that calls the service beside the page. */
  login: FrontendWorld['login'];
}

/** Starts the service with the demo data, and serves the built page, for the tests of a `describe`. */
export function usePage(): UsedPage {
  let world: FrontendWorld;
  beforeAll(async () => {
    world = await startFrontendWorld(chromium ?? '');
  });
  afterAll(() => world?.stop());
  const open: UsedPage['open'] = async (options) => {
    const visit = await world.open(options);
    onTestFinished(visit.close);
    return visit;
  };
  return {
    open,
    async signIn(email) {
      const visit = await open();
      await visit.signIn(email);
      return visit;
    },
    login: (email) => world.login(email),
  };
}
