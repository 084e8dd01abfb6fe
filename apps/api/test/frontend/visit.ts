import type { Browser, Page } from 'playwright-core';
import { demoPassword } from '../../local/people.ts';

export interface VisitOptions {
  colorScheme?: 'light' | 'dark';
}

/** A visitor of the page, and what went wrong while they used it. */
export interface Visit {
  page: Page;
  /** Error responses such as `412 /trpc/organizations.update`, failed requests, console messages, and requests to other hosts. */
  readonly troubles: string[];
  signIn(email: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the page in a new browser context. @param origins those that the page may send requests to */
export async function visit(
  browser: Browser,
  url: string,
  origins: string[],
  { colorScheme = 'light' }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ colorScheme, locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', (message) => {
    // Chromium also reports every error response.
    const isResponse = message.text().startsWith('Failed to load resource: the server responded');
    if (!isResponse) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin) && !request.url().startsWith('blob:'))
      troubles.push(`request to ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const { pathname } = new URL(request.url());
    // A visitor may leave the page before it has loaded its icon.
    if (pathname !== '/favicon.svg') troubles.push(`${request.failure()?.errorText} ${pathname}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  await page.goto(url);
  return {
    page,
    troubles,
    async signIn(email) {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Email').fill(email);
      await page.locator('#password').fill(demoPassword);
      await page.locator('#kc-form-login [type=submit]').click();
      await page.getByLabel('Search by name').waitFor();
    },
    close: () => context.close(),
  };
}

/** The names in the list of organizations. */
export const listedOrganizations = (page: Page): Promise<string[]> => page.getByRole('rowheader').allInnerTexts();

/** Finds the organization by its name, and opens it. */
export async function openOrganization(page: Page, name: string): Promise<void> {
  await page.getByLabel('Search by name').fill(name);
  await page.getByText('1–1 of 1 organizations').waitFor();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Fills in the fields of an address. */
export async function fillAddress(page: Page, { street, state, city }: { street: string; state: string; city: string }): Promise<void> {
  await page.getByLabel('Postal code').fill('13010111');
  await page.getByLabel('Street').fill(street);
  await page.getByLabel('Number').fill('901');
  await page.getByLabel('State', { exact: true }).selectOption({ label: state });
  await page.getByLabel('City').selectOption({ label: city });
}

/** The session that oidc-client-ts keeps. */
export const storedSession = (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem(sessionStorage.key(0) ?? '') ?? '{}') as Record<string, unknown>);

/** Changes the session, such as to one that expired while the computer was asleep. */
export async function changeSession(page: Page, change: Record<string, unknown>): Promise<void> {
  const changed = { ...(await storedSession(page)), ...change };
  await page.evaluate((text) => sessionStorage.setItem(sessionStorage.key(0) ?? '', text), JSON.stringify(changed));
}
