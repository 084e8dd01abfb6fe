import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { content } from '../support/files.ts';
import { changeSession, hold, isFocused, newAddress, openOrganization, rioBranco } from './visit.ts';
import { chromium, usePage } from './world.ts';

const statute = { name: 'estatuto.pdf', mimeType: 'application/pdf', buffer: content('application/pdf') };
const refuse = (route: Route) => route.abort('connectionrefused');
/** Responds as a proxy does before the service. */
const refuseAsProxy = (route: Route) =>
  route.fulfill({ status: 413, contentType: 'text/html', headers: { 'access-control-allow-origin': '*' }, body: '<h1>Too large</h1>' });

describe.skipIf(!chromium)('a failure in the example frontend', () => {
  const { signIn, login } = usePage();

  test('of the lists of states and cities is shown in the form, and can be tried again', async () => {
    const { page } = await signIn('teresa@example.com');
    await page.route(/(states|cities)\.list/, refuse);
    await page.getByRole('link', { name: 'New organization' }).click();
    const retry = page.getByRole('alert').filter({ hasText: 'The service did not respond' }).getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute(/(states|cities)\.list/);
    await page.route(/cities\.list/, refuse);
    await retry.click();
    await page.getByLabel('State').selectOption({ label: 'Acre' });
    await retry.waitFor();
    await page.unroute(/cities\.list/);
    await retry.click();
    await page.getByLabel('City').selectOption({ label: 'Rio Branco' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('to load the current version of a deleted organization is shown in the form', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    const teresa = await login('teresa@example.com');
    await openOrganization(page, 'Cooperativa dos Produtores do Cerrado');
    const id = page.url().split('/').at(-1) ?? '';
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Trade name').fill('Mine');
    await teresa.organizations.update.mutate({ id, alias: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this organization.').waitFor();
    await teresa.organizations.remove.mutate({ id });
    await page.getByRole('button', { name: 'Load current version' }).click();
    await page.getByRole('region', { name: 'Details' }).getByRole('alert').getByText('ORGANIZATION_NOT_FOUND').waitFor();
    expect(await page.getByLabel('Trade name').inputValue()).toBe('Mine');
    expect(problems).toEqual(['412 /trpc/organizations.update', '404 /trpc/organizations.get']);
  });

  test('of the identity provider is shown as such, and the next attempt renews the session', async () => {
    const { page } = await signIn('carlos@example.com');
    await changeSession(page, { expires_at: 1 });
    await page.route(/openid-connect\/token$/, refuse);
    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).click();
    await page.getByText('Your session could not be renewed').waitFor();
    await page.unroute(/openid-connect\/token$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Cooperativa Sertão Verde' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('of an upload or a download keeps the focus, and offers no attempt that cannot succeed', async () => {
    const { page } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa Sertão Verde');
    const input = page.getByLabel('Upload a file');
    await page.route(/api\/attachments$/, refuseAsProxy);
    await input.focus();
    await input.setInputFiles(statute);
    await page.getByText('The response is not from the service').waitFor();
    expect(await isFocused(input)).toBe(true);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);

    await page.unroute(/api\/attachments$/);
    await page.route(/api\/attachments$/, refuse);
    await input.setInputFiles(statute);
    await page.getByText('The service did not respond').waitFor();
    await page.unroute(/api\/attachments$/);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByText('estatuto.pdf is uploaded.').waitFor();
    expect(await isFocused(input)).toBe(true);

    const download = page.getByRole('button', { name: 'Download estatuto.pdf' });
    await page.route(/api\/attachments\/./, refuse);
    await download.press('Enter');
    await page.getByText('The service did not respond').waitFor();
    expect(await isFocused(download)).toBe(true);
    await page.unroute(/api\/attachments\/./);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await downloading;
    expect(await isFocused(download)).toBe(true);
  });

  test('of a form keeps the focus on its button', async () => {
    const { page } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa Sertão Verde');
    const add = await newAddress(page, rioBranco);
    await page.route(/organizationAddresses\.create/, refuseAsProxy);
    await add.press('Enter');
    await page.getByText('The response is not from the service').waitFor();
    expect(await isFocused(add)).toBe(true);
  });

  test('of a page has a heading with the focus, and a title', async () => {
    const { page } = await signIn('carlos@example.com');
    const get = await hold(page, /organizations\.get/);
    await page
      .getByRole('link', { name: 'Cooperativa Sertão Verde' })
      .evaluate((link) => link.setAttribute('href', '#/organizations/gone'));
    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).press('Enter');
    const heading = page.getByRole('heading', { level: 1, name: 'Organization', exact: true });
    await heading.waitFor();
    await page.getByText('Loading the organization').waitFor();
    get.release();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => isFocused(heading)).toBe(true);
    expect(await page.title()).toBe('Organization');
  });
});
