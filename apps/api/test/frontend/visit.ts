import type { Browser, Locator, Page, Route } from 'playwright-core';
import { newVisitor, type VisitorOptions } from '../../../../test/visitor.ts';
import { demoPassword } from '../../local/people.ts';

/** Opens the page as a new visitor. The problems also include failed requests, and warnings in the console. */
export async function visit(browser: Browser, url: string, options: VisitorOptions) {
  const { context, page, problems } = await newVisitor(browser, { locale: 'en-US', reducedMotion: 'reduce', ...options });
  page.on('console', (message) => {
    if (message.type() === 'warning') problems.push(`warning: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const { pathname } = new URL(request.url());
    // A visitor may leave the page before it has loaded its icon, and closes the stream of events by leaving.
    const isLeft =
      pathname === '/favicon.svg' || (pathname === '/trpc/events.stream' && request.failure()?.errorText === 'net::ERR_ABORTED');
    if (!isLeft) problems.push(`${request.failure()?.errorText} ${pathname}`);
  });
  await page.goto(url);
  return {
    page,
    problems,
    async signIn(email: string) {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Email').fill(email);
      await page.locator('#password').fill(demoPassword);
      await page.locator('#kc-form-login [type=submit]').click();
      await page.getByLabel('Search by name').waitFor();
    },
    close: () => context.close(),
  };
}

/** Whether the control has the focus. */
export const isFocused = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === element.ownerDocument.activeElement);

/** The names in the list of organizations. */
export const listedOrganizations = (page: Page): Promise<string[]> => page.getByRole('rowheader').allInnerTexts();

/** Finds the organization by its name, and opens it. */
export async function openOrganization(page: Page, name: string): Promise<void> {
  await page.getByLabel('Search by name').fill(name);
  await page.getByText('1 organizations', { exact: true }).waitFor();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Opens the form for a new address of the organization, and fills it in. @returns the button that adds it */
export async function newAddress(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'New address' }).click();
  await fillAddress(page);
  return page.getByRole('button', { name: 'Add address' });
}

/** Fills in the fields of an address. */
export async function fillAddress(page: Page, postalCode = '13010-111'): Promise<void> {
  await page.getByLabel('Postal code').fill(postalCode);
  await page.getByLabel('Street').fill('Rua Barão de Jaguara');
  await page.getByLabel('Number').fill('901');
  await page.getByLabel('State', { exact: true }).selectOption({ label: 'São Paulo' });
  await page.getByLabel('City').selectOption({ label: 'Campinas' });
}

/** The session that oidc-client-ts keeps. */
export const storedSession = (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem(sessionStorage.key(0) ?? '') ?? '{}') as Record<string, unknown>);

/** Changes the session, such as to one that expired while the computer was asleep. */
export async function changeSession(page: Page, change: Record<string, unknown>): Promise<void> {
  const changed = { ...(await storedSession(page)), ...change };
  await page.evaluate((text) => sessionStorage.setItem(sessionStorage.key(0) ?? '', text), JSON.stringify(changed));
}

export const refuse = (route: Route) => route.abort('connectionrefused');

/** Sends the request with a token that the service rejects. */
export const rejectToken = (route: Route) =>
  route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer rejected' } });

/** Responds as a proxy does before the service. */
export const refuseAsProxy = (route: Route) =>
  route.fulfill({ status: 413, contentType: 'text/html', headers: { 'access-control-allow-origin': '*' }, body: '<h1>Too large</h1>' });

/** Holds the requests whose URL matches until they are released. @returns `count` says how many have arrived */
export async function hold(page: Page, url: RegExp): Promise<{ count(): number; release(): void }> {
  let count = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    count += 1;
    await held;
    await route.continue();
  });
  return { count: () => count, release };
}
