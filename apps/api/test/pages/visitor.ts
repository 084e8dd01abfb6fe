import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A new visitor with a page in a browser. */
export interface Visitor {
  page: Page;
  /** Fails if a page wrote an error to the console, or requested something from another host than `hosts`. Closes the browser's context. */
  leave(): Promise<void>;
}

/** @param hosts the hosts that the pages may use, such as `localhost:3000` */
export async function visit(browser: Browser, hosts: readonly string[], options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const problems: string[] = [];
  context.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
  context.on('weberror', (error) => void problems.push(String(error.error())));
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && !hosts.includes(host)) problems.push(`request to ${request.url()}`);
  });
  const page = await context.newPage();
  return {
    page,
    async leave() {
      expect(problems).toEqual([]);
      await context.close();
    },
  };
}

/** Returns what axe finds on the page: the rule and the first element of each violation. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
