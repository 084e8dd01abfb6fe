import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns the violations of axe's rules on the page as it is now: the rule and the element of each. The page's own policy may forbid scripts. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
