import type { Page } from 'playwright-core';

/** Logs in with the button of the API reference. The identity provider shows its form in a pop-up window. */
export async function logIn(page: Page, username: string, password: string): Promise<void> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Authorize' }).first().click()]);
  await popup.fill('#username', username);
  await popup.fill('#password', password);
  const redeemed = page.waitForResponse((response) => response.url().endsWith('/token'));
  await popup.click('[type=submit]');
  const response = await redeemed;
  if (!response.ok()) throw new Error(`The login failed with status ${response.status()}`);
}

/** Opens the client of the API reference for an operation. @param anchor such as `tag/me/GET/api/me/permissions` */
export async function openOperation(page: Page, anchor: string): Promise<void> {
  const [, method = '', path = ''] = /\/([A-Z]+)(\/.*)$/.exec(anchor) ?? [];
  const dialog = page.getByRole('dialog');
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Close Client' }).click();
  await page.evaluate(`location.hash = ${JSON.stringify(anchor)}`);
  await page.getByRole('button', { name: `Test Request (${method.toLowerCase()} ${path})`, exact: true }).click();
  await dialog.waitFor({ state: 'visible' });
}

/** Sends the request of the open client. */
export async function sendRequest(page: Page): Promise<{ status: number; body: unknown }> {
  const responses = page.waitForResponse((response) => /\/(api|service)\//.test(new URL(response.url()).pathname));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send \w+ request to/ })
    .click();
  const response = await responses;
  return { status: response.status(), body: await response.json() };
}
