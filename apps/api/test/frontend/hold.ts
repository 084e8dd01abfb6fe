import type { Page } from 'playwright-core';

/** Holds the requests whose URL matches until they are released. @returns `count` says how many have arrived */
export async function hold(page: Page, url: RegExp): Promise<{ count(): number; release(): void }> {
  let release = () => {};
  let count = 0;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    count += 1;
    await held;
    await route.continue();
  });
  return { count: () => count, release };
}
