import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A new visitor: a browser context without cookies, and its first page. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors in the console, uncaught exceptions, error responses such as `412 /api/users/1`, and requests to other origins, on all pages of the visitor. */
  readonly problems: string[];
  /**
   * Closes the pages.
   * @param expected the start of problems that may occur
   * @throws Error that lists the other problems
   */
  leave(expected?: string): Promise<void>;
}

export interface VisitorOptions extends BrowserContextOptions {
  /** The only origins that the pages may send requests to. */
  origins?: readonly string[];
}

/** Opens an empty page as a new visitor. */
export async function newVisitor(browser: Browser, { origins, ...options }: VisitorOptions = {}): Promise<Visitor> {
  const context = await browser.newContext(options);
  const problems: string[] = [];
  context.on('console', (message) => {
    // Chromium also reports every error response.
    const isResponse = message.text().startsWith('Failed to load resource: the server responded');
    if (message.type() === 'error' && !isResponse) problems.push(message.text());
  });
  context.on('weberror', (error) => void problems.push(error.error().message));
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (origins && protocol !== 'blob:' && !origins.includes(origin)) problems.push(`request to ${request.url()}`);
  });
  return {
    context,
    page: await context.newPage(),
    problems,
    async leave(expected) {
      await context.close();
      const found = problems.splice(0).filter((problem) => expected === undefined || !problem.startsWith(expected));
      if (found.length > 0) throw new Error(`Problems in the browser:\n${found.join('\n')}`);
    },
  };
}
