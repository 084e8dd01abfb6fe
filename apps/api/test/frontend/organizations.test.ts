import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { content } from '../support/files.ts';
import { fillAddress, hold, isFocused, listedOrganizations, newAddress, openOrganization, refuse, refuseAsProxy } from './visit.ts';
import { chromium, usePage } from './world.ts';

/** Expression for a growing list of the shares that the progress bar has shown. */
const recordProgress = `(() => {
  const shares = [];
  new MutationObserver(() => {
    const bar = document.querySelector('progress');
    if (bar && bar.value / bar.max !== shares.at(-1)) shares.push(bar.value / bar.max);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
  return shares;
})()`;

const rows = (page: Page) => expect.poll(() => listedOrganizations(page));
const address = { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3550308, stateCode: 35 };

describe.skipIf(!chromium)('the organizations of the example frontend', () => {
  const { signIn, login } = usePage();

  test('are listed by name, further ones when one scrolls, and found by a part of their name', async () => {
    const { organizations } = await login('teresa@example.com');
    const before = (await organizations.list.query()).total;
    for (let number = 10; number < 65; number += 1)
      await organizations.create.mutate({ name: `Armazém ${number}`, federalTaxId: `998887770001${number}`, address });
    const { page, problems } = await signIn('teresa@example.com');
    await page.getByText('The first 20 organizations').waitFor();
    const first = await listedOrganizations(page);
    expect(first).toEqual(first.toSorted(new Intl.Collator('pt-BR').compare));
    await page.route(/organizations\.list/, refuse);
    const more = page.getByRole('button', { name: 'Load more' });
    await more.scrollIntoViewIfNeeded();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await listedOrganizations(page)).toEqual(first);
    problems.splice(0);
    await page.unroute(/organizations\.list/);
    await retry.click();
    await page.getByText('The first 40 organizations').waitFor();
    await more.scrollIntoViewIfNeeded();
    await page.getByText(`${before + 55} organizations`, { exact: true }).waitFor();
    const all = await Array.fromAsync(organizations.all({ sort: ['name'] }));
    expect(await listedOrganizations(page)).toEqual(all.map(({ name }) => name));
    await page.getByLabel('Search by name').fill('armazem 1');
    await page.getByText('10 organizations', { exact: true }).waitFor();
    await page.getByLabel('Search by name').fill('');
    await page.getByText(`${before + 55} organizations`, { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('are created with an address, whose states and cities can be loaded again after a failure', async () => {
    const { page, problems } = await signIn('teresa@example.com');
    await page.route(/(states|cities)\.list/, refuse);
    await page.getByRole('link', { name: 'New organization' }).click();
    const retry = page.getByRole('alert').filter({ hasText: 'The service did not respond' }).getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute(/(states|cities)\.list/);
    await page.route(/cities\.list/, refuse);
    await retry.click();
    await page.getByLabel('State').selectOption({ label: 'Minas Gerais' });
    await retry.waitFor();
    await page.unroute(/cities\.list/);
    await retry.click();
    // The 853rd and last city of the state, on the 9th page of the list of cities.
    await page.getByLabel('City').selectOption({ label: 'Wenceslau Braz' });
    expect(await page.getByRole('alert').count()).toBe(0);
    problems.splice(0);

    await page.getByLabel('Name', { exact: true }).fill('Cooperativa Nova');
    await page.getByLabel('Tax id').fill('123');
    await page.getByLabel('Postal code').fill('8901');
    await page.getByLabel('Street').fill('Rua XV de Novembro');
    await page.getByLabel('Number').fill('100');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByText('Correct the marked fields').waitFor();
    const faults = { 'Tax id': 'A tax id must have 11 to 14 letters and digits', 'Postal code': 'Too small' };
    for (const [label, text] of Object.entries(faults)) {
      const field = page.getByLabel(label);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const description = page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`);
      expect(await description.innerText()).toContain(text);
    }
    expect(await isFocused(page.getByLabel('Tax id'))).toBe(true);
    await page.getByLabel('Tax id').fill('45997418000153');
    await page.getByLabel('Postal code').fill('37512-000');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('heading', { name: 'Cooperativa Nova' }).waitFor();
    await page.getByText('Wenceslau Braz – MG').waitFor();
    expect(problems).toEqual(['400 /trpc/organizations.create']);
  });

  test('are not opened in another tenant when their creation ends late', async () => {
    const { page, problems } = await signIn('beto@example.com');
    const tenant = page.getByLabel('Tenant');
    await tenant.selectOption({ label: 'Ledger for Cooperativa Central' });
    await rows(page).toHaveLength(2);
    await page.getByRole('link', { name: 'New organization' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cooperativa Tardia');
    await page.getByLabel('Tax id').fill('45997418000234');
    await fillAddress(page);
    const creation = await hold(page, /organizations\.create/);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect.poll(() => creation.count()).toBe(1);
    await tenant.selectOption({ label: 'Harvest for Cooperativa Central' });
    await rows(page).toHaveLength(20);
    creation.release();
    await page.waitForResponse(/organizations\.create/);
    // The page has handled the creation before the response to this search arrives.
    await page.getByLabel('Search by name').fill('sertao');
    await page.getByText('1 organizations', { exact: true }).waitFor();
    expect(page.url()).toContain('#/?name=sertao');
    expect(problems).toEqual([]);
  });

  test('are edited in the version that was read, and a late response closes no form that was opened later', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    const { organizations } = await login('teresa@example.com');
    await openOrganization(page, 'Cooperativa dos Produtores do Cerrado');
    const id = page.url().split('/').at(-1) ?? '';
    const alias = page.getByLabel('Trade name');
    const click = (name: string) => page.getByRole('button', { name }).click();
    await click('Edit');
    await page.getByLabel('Name', { exact: true }).fill('Cooperativa do Cerrado');
    const update = await hold(page, /organizations\.update/);
    await click('Save');
    await click('Cancel');
    await click('Edit');
    await alias.fill('Typed meanwhile');
    update.release();
    await page.getByRole('heading', { name: 'Cooperativa do Cerrado', level: 1 }).waitFor();
    expect(await alias.inputValue()).toBe('Typed meanwhile');
    await click('Cancel');

    /** Fills in the form, and saves it after somebody else has changed the organization. */
    const saveAfterOthers = async () => {
      await click('Edit');
      await alias.fill('Mine');
      await organizations.update.mutate({ id, alias: 'Theirs' });
      await click('Save');
      await page.getByText('Somebody else has changed this organization.').waitFor();
      expect(await alias.inputValue()).toBe('Mine');
    };
    await saveAfterOthers();
    expect((await organizations.get.query({ id })).alias).toBe('Theirs');
    await click('Load current version');
    await expect.poll(() => alias.inputValue()).toBe('Theirs');
    await alias.fill('Ours');
    await click('Save');
    await page.getByText('Saved.').waitFor();
    expect((await organizations.get.query({ id })).alias).toBe('Ours');

    await saveAfterOthers();
    await organizations.remove.mutate({ id });
    await click('Load current version');
    await page.getByRole('region', { name: 'Details' }).getByRole('alert').getByText('ORGANIZATION_NOT_FOUND').waitFor();
    expect(await alias.inputValue()).toBe('Mine');
    expect(problems).toEqual(['412 /trpc/organizations.update', '412 /trpc/organizations.update', '404 /trpc/organizations.get']);
  });

  test('have a history of addresses, to which a form adds one, although its button is pressed twice', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa Sertão Verde');
    await page.getByText('Petrolina – PE').waitFor();
    expect(await page.title()).toBe('Cooperativa Sertão Verde');
    const addresses = page.getByRole('region', { name: 'Addresses' });
    const add = await newAddress(page);
    await page.route(/organizationAddresses\.create/, refuseAsProxy);
    await add.press('Enter');
    await page.getByText('The response is not from the service').waitFor();
    expect(await isFocused(add)).toBe(true);
    await page.unroute(/organizationAddresses\.create/);

    const creation = await hold(page, /organizationAddresses\.create/);
    await add.press('Enter');
    await expect.poll(() => creation.count()).toBe(1);
    expect(await isFocused(add)).toBe(true);
    await page.keyboard.press('Enter');
    await addresses.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New address' }).click();
    await page.getByLabel('Street').fill('Typed meanwhile');
    creation.release();
    await page.getByText('Campinas – SP').waitFor();
    expect(await page.getByLabel('Street').inputValue()).toBe('Typed meanwhile');
    const [current, previous, ...others] = await addresses.getByRole('listitem').allInnerTexts();
    expect(current).toMatch(/^Since .*Current\s+Rua Barão de Jaguara, 901\s+Campinas – SP\s+13010-111$/);
    expect(previous).toMatch(/^\w+ \d+, \d+ – \w+ \d+, \d+\s+Avenida Guararapes, 2114\s+Centro, Petrolina – PE\s+56302-000$/);
    expect(others).toEqual([]);
    expect(creation.count()).toBe(1);
    expect(problems).toEqual(['413 /trpc/organizationAddresses.create']);
  });

  test('have files, uploaded with progress, and downloaded, also after a failure, which keeps the focus', async () => {
    const { page } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa Sertão Verde');
    const input = page.getByLabel('Upload a file');
    const retry = page.getByRole('button', { name: 'Try again' });
    await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') });
    await page.getByText('InvalidAttachmentTypeError').waitFor();

    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1e6 });
    const seen = await page.evaluateHandle<number[]>(recordProgress);
    const buffer = content('application/pdf', 2e6);
    const statute = { name: 'estatuto.pdf', mimeType: 'application/pdf', buffer };
    await input.setInputFiles(statute);
    await page.getByRole('progressbar', { name: 'Uploading estatuto.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The upload is cancelled.').waitFor();
    await page.getByText('No file yet.').waitFor();

    await page.route(/api\/attachments$/, refuseAsProxy);
    await input.focus();
    await input.setInputFiles(statute);
    await page.getByText('The response is not from the service').waitFor();
    expect(await isFocused(input)).toBe(true);
    expect(await retry.count()).toBe(0);
    await page.unroute(/api\/attachments$/);
    await page.route(/api\/attachments$/, refuse);
    await input.setInputFiles(statute);
    await page.getByText('The service did not respond').waitFor();
    await page.unroute(/api\/attachments$/);
    await seen.evaluate((shares) => shares.splice(0));
    await retry.press('Enter');
    await page.getByText('estatuto.pdf is uploaded.').waitFor();
    expect(await isFocused(input)).toBe(true);
    const shares = await seen.jsonValue();
    expect(shares.filter((share) => share > 0 && share < 1).length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));

    const button = page.getByRole('button', { name: 'Download estatuto.pdf' });
    await page.route(/api\/attachments\/./, refuse);
    await button.press('Enter');
    await page.getByText('The service did not respond').waitFor();
    expect(await isFocused(button)).toBe(true);
    await page.unroute(/api\/attachments\/./);
    const downloading = page.waitForEvent('download');
    await retry.press('Enter');
    const download = await downloading;
    expect(await isFocused(button)).toBe(true);
    expect(download.suggestedFilename()).toBe('estatuto.pdf');
    expect(buffer.equals(await readFile(await download.path()))).toBe(true);
  });

  test('are read-only for a viewer', async () => {
    const carlos = await login('carlos@example.com');
    const [organization] = (await carlos.organizations.list.query({ name: 'vale do itajaí' })).data;
    const file = new File([content('application/pdf')], 'ata.pdf', { type: 'application/pdf' });
    await carlos.attachments.upload(file, { entityType: 'ORGANIZATION', entityId: organization!.id });
    const { page, problems } = await signIn('vera@example.com');
    await openOrganization(page, 'Cooperativa Agrícola Vale do Itajaí');
    await page.getByText('Blumenau – SC').waitFor();
    await page.getByText('ata.pdf').waitFor();
    const controls = await page.getByRole('main').locator('button, input').allTextContents();
    expect(controls).toEqual(['Download ata.pdf']);
    await page.goto(new URL('#/organizations/new', page.url()).href);
    await page.getByLabel('Name', { exact: true }).fill('Cooperativa Nova');
    await page.getByLabel('Tax id').fill('45997418000315');
    await fillAddress(page);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('alert').getByText('Not allowed').waitFor();
    expect(problems).toEqual(['403 /trpc/organizations.create']);
  });

  test('that do not exist have a page with a title, and a heading with the focus', async () => {
    const { page } = await signIn('carlos@example.com');
    const get = await hold(page, /organizations\.get/);
    const link = page.getByRole('rowheader').getByRole('link').first();
    await link.evaluate((element) => element.setAttribute('href', '#/organizations/gone'));
    await link.press('Enter');
    const heading = page.getByRole('heading', { level: 1, name: 'Organization', exact: true });
    await heading.waitFor();
    await page.getByText('Loading the organization').waitFor();
    get.release();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => isFocused(heading)).toBe(true);
    expect(await page.title()).toBe('Organization');
  });
});
