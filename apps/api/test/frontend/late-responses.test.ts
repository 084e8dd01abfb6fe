import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { campinas, fillAddress, hold, isFocused, listedOrganizations, newAddress, openOrganization, rioBranco } from './visit.ts';
import { chromium, createNineOrganizations, usePage } from './world.ts';

const rows = (page: Page) => expect.poll(() => listedOrganizations(page));

describe.skipIf(!chromium)('a late response in the example frontend', () => {
  const { signIn, login } = usePage();

  test('keeps the rows of a list together with their numbers', async () => {
    const { page, problems } = await signIn('teresa@example.com');
    await createNineOrganizations(await login('teresa@example.com'));
    await page.reload();
    await page.getByText('1–10 of 12 organizations').waitFor();
    const firstPage = await listedOrganizations(page);
    const list = await hold(page, /organizations\.list/);
    const next = page.getByRole('button', { name: 'Next' });
    await next.click();
    await page.locator('[aria-busy=true]').waitFor();
    expect(page.url()).toContain('page=2');
    expect(await page.getByText(/of 12 organizations/).innerText()).toBe('1–10 of 12 organizations');
    expect(await listedOrganizations(page)).toEqual(firstPage);
    list.release();
    await page.getByText('11–12 of 12 organizations').waitFor();
    await rows(page).toHaveLength(2);
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    expect(await isFocused(next)).toBe(true);
    expect(problems).toEqual([]);
  });

  test('of a creation opens no organization in another tenant', async () => {
    const { page, problems } = await signIn('beto@example.com');
    const tenant = page.getByLabel('Tenant');
    await tenant.selectOption({ label: 'Ledger for Cooperativa Central' });
    await rows(page).toHaveLength(2);
    await page.getByRole('link', { name: 'New organization' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cooperativa Nova');
    await page.getByLabel('Tax id').fill('45997418000153');
    await fillAddress(page, campinas);
    const creation = await hold(page, /organizations\.create/);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect.poll(() => creation.count()).toBe(1);
    await tenant.selectOption({ label: 'Harvest for Cooperativa Central' });
    await page.getByText('of 12 organizations').waitFor();
    creation.release();
    await page.waitForResponse(/organizations\.create/);
    // The page has handled the creation before the response to this search arrives.
    await page.getByLabel('Search by name').fill('sertao');
    await page.getByText('1–1 of 1 organizations').waitFor();
    expect(page.url()).toContain('#/?name=sertao');
    expect(problems).toEqual([]);
  });

  test('closes no form that was opened after it was requested', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa dos Produtores do Cerrado');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cooperativa do Cerrado');
    const update = await hold(page, /organizations\.update/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Trade name').fill('Typed meanwhile');
    update.release();
    await page.getByRole('heading', { name: 'Cooperativa do Cerrado', level: 1 }).waitFor();

    const creation = await hold(page, /organizationAddresses\.create/);
    await (await newAddress(page, rioBranco)).click();
    await page.getByRole('region', { name: 'Addresses' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New address' }).click();
    await page.getByLabel('Street').fill('Typed meanwhile');
    creation.release();
    await page.getByText('Rio Branco – AC').waitFor();
    expect(await page.getByLabel('Street').inputValue()).toBe('Typed meanwhile');
    expect(await page.getByLabel('Trade name').inputValue()).toBe('Typed meanwhile');
    expect(problems).toEqual([]);
  });

  test('does not let a form be sent twice, and its button keeps the focus', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa Sertão Verde');
    const creation = await hold(page, /organizationAddresses\.create/);
    const add = await newAddress(page, rioBranco);
    await add.press('Enter');
    await expect.poll(() => creation.count()).toBe(1);
    expect(await isFocused(add)).toBe(true);
    await page.keyboard.press('Enter');
    creation.release();
    await page.getByText('Rio Branco – AC').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Addresses' }).getByRole('listitem').count()).toBe(2);
    expect(creation.count()).toBe(1);
    expect(problems).toEqual([]);
  });
});
