import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { content } from '../support/files.ts';
import { campinas, fillAddress, isFocused, listedOrganizations, newAddress, openOrganization } from './visit.ts';
import { chromium, createNineOrganizations, usePage } from './world.ts';

/** Expression for a growing list of the shares that the progress bar has shown. */
const recordProgress = `(() => {
  const shares = [];
  new MutationObserver(() => {
    const bar = document.querySelector('progress');
    if (bar && bar.value / bar.max !== shares.at(-1)) shares.push(bar.value / bar.max);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
  return shares;
})()`;

describe.skipIf(!chromium)('the organizations of the example frontend', () => {
  const { signIn, login } = usePage();

  test('are listed by pages, found by a part of their name, and created with an address', async () => {
    const { page, problems } = await signIn('teresa@example.com');
    await createNineOrganizations(await login('teresa@example.com'));
    await page.reload();
    await page.getByText('1–10 of 12 organizations').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('11–12 of 12 organizations').waitFor();
    await expect.poll(() => listedOrganizations(page)).toHaveLength(2);
    await page.getByLabel('Search by name').fill('armazem 1');
    await page.getByText('1–9 of 9 organizations').waitFor();
    await page.goBack();
    await page.getByText('1–10 of 12 organizations').waitFor();

    await page.getByRole('link', { name: 'New organization' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cooperativa Nova');
    await page.getByLabel('Tax id').fill('123');
    await page.getByLabel('Postal code').fill('8901');
    await page.getByLabel('Street').fill('Rua XV de Novembro');
    await page.getByLabel('Number').fill('100');
    await page.getByLabel('State').selectOption({ label: 'Minas Gerais' });
    // The 853rd and last city of the state, on the 9th page of the list of cities.
    await page.getByLabel('City').selectOption({ label: 'Wenceslau Braz' });
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

  test('are edited in the version that was read', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa dos Produtores do Cerrado');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Trade name').fill('Cerrado Sul');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('Cerrado Sul').waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Trade name').fill('Mine');
    const teresa = await login('teresa@example.com');
    const [organization] = (await teresa.organizations.list.query({ name: 'cerrado' })).data;
    await teresa.organizations.update.mutate({ id: organization!.id, alias: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this organization.').waitFor();
    expect((await teresa.organizations.get.query({ id: organization!.id })).alias).toBe('Theirs');
    expect(await page.getByLabel('Trade name').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Load current version' }).click();
    await expect.poll(() => page.getByLabel('Trade name').inputValue()).toBe('Theirs');
    await page.getByLabel('Trade name').fill('Ours');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await teresa.organizations.get.query({ id: organization!.id })).alias).toBe('Ours');
    expect(problems).toEqual(['412 /trpc/organizations.update']);
  });

  test('have a history of addresses, to which a new one is added', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa Sertão Verde');
    await page.getByText('Petrolina – PE').waitFor();
    expect(await page.title()).toBe('Cooperativa Sertão Verde');
    const add = await newAddress(page, campinas);
    await page.getByLabel('Postal code').fill('13010-111');
    await add.click();
    await page.getByText('Campinas – SP').waitFor();
    const [current, previous, ...others] = await page.getByRole('region', { name: 'Addresses' }).getByRole('listitem').allInnerTexts();
    expect(current).toMatch(/^Since .*Current\s+Rua Barão de Jaguara, 901\s+Campinas – SP\s+13010-111$/);
    expect(previous).toMatch(/^\w+ \d+, \d+ – \w+ \d+, \d+\s+Avenida Guararapes, 2114\s+Centro, Petrolina – PE\s+56302-000$/);
    expect(others).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('have files, uploaded with progress, and downloaded', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    await openOrganization(page, 'Cooperativa Sertão Verde');
    const input = page.getByLabel('Upload a file');
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
    await seen.evaluate((shares) => shares.splice(0));

    await input.setInputFiles(statute);
    await page.getByText('estatuto.pdf is uploaded.').waitFor();
    const shares = await seen.jsonValue();
    expect(shares.filter((share) => share > 0 && share < 1).length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download estatuto.pdf' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('estatuto.pdf');
    expect(buffer.equals(await readFile(await download.path()))).toBe(true);
    // Chromium calls a response aborted whose body is read through another Response, as the client does, after its last byte too.
    expect(problems.filter((problem) => !/ERR_ABORTED \/api\/attachments\/./.test(problem))).toEqual([
      '400 /api/attachments',
      'net::ERR_ABORTED /api/attachments',
    ]);
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
    await page.getByLabel('Tax id').fill('45997418000153');
    await fillAddress(page, campinas);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('alert').getByText('Not allowed').waitFor();
    expect(problems).toEqual(['403 /trpc/organizations.create']);
  });
});
