import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from '../../../../test/axe.ts';
import { isFocused } from './visit.ts';
import { chromium, usePage } from './world.ts';

/** Whether the page fits a window of this width without horizontal scrolling. */
async function fits(page: Page, width: number): Promise<boolean> {
  const { width: usual, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width, height });
  const isFitting = await page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
  await page.setViewportSize({ width: usual, height });
  return isFitting;
}

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < 40; presses += 1) {
    if (await isFocused(control)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(control)}`);
}

async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

describe.skipIf(!chromium)('the page of the example frontend', () => {
  const { open } = usePage();

  test.each(['light', 'dark'] as const)('breaks no rule of axe in %s colours, and fits a narrow window', async (colorScheme) => {
    const { page, signIn: enter } = await open({ colorScheme });
    const expectAccessible = async () => {
      expect(await violations(page)).toEqual([]);
      expect(await fits(page, 320)).toBe(true);
    };
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectAccessible();
    await enter('teresa@example.com');
    await page.getByText('1–3 of 3').waitFor();
    await expectAccessible();

    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).click();
    await page.getByText('Petrolina – PE').waitFor();
    await page.getByText('No file yet.').waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'New address' }).click();
    await page.getByLabel('Postal code').fill('1');
    await page.getByLabel('Street').fill('Rua A');
    await page.getByLabel('Number').fill('1');
    await page.getByLabel('State', { exact: true }).selectOption({ label: 'Acre' });
    await page.getByLabel('City').selectOption({ label: 'Rio Branco' });
    await page.getByRole('button', { name: 'Add address' }).click();
    await page.getByText('Correct the marked fields').waitFor();
    await page.getByLabel('Upload a file').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await page.getByText('InvalidAttachmentTypeError').waitFor();
    await expectAccessible();

    await page.goto(new URL('#/organizations/new', page.url()).href);
    await page.getByRole('heading', { name: 'New organization' }).waitFor();
    await expectAccessible();
    await page.goto(new URL('#/nowhere', page.url()).href);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expectAccessible();
    await page.goto(new URL('#/organizations/gone', page.url()).href);
    await page.getByRole('alert').waitFor();
    await expectAccessible();
  });

  test('is used with the keyboard alone', async () => {
    const { page, problems } = await open();
    const { keyboard } = page;
    await press(page, page.getByRole('button', { name: 'Sign in' }));
    await page.locator('#username').waitFor();
    await tabTo(page, page.locator('#username'));
    await keyboard.type('beto@example.com');
    await tabTo(page, page.locator('#password'));
    await keyboard.type('demo');
    await keyboard.press('Enter');

    const tenant = page.getByLabel('Tenant');
    await tabTo(page, tenant);
    const before = await tenant.inputValue();
    await keyboard.press('ArrowDown');
    if ((await tenant.inputValue()) === before) await keyboard.press('ArrowUp');
    await expect.poll(() => tenant.inputValue()).not.toBe(before);
    await page.getByText(/1–\d of \d organizations/).waitFor();
    expect(await isFocused(tenant)).toBe(true);

    await tabTo(page, page.getByLabel('Search by name'));
    await keyboard.type('sertao');
    await page.getByText('1–1 of 1 organizations').waitFor();
    await press(page, page.getByRole('link', { name: 'Cooperativa Sertão Verde' }));
    const heading = page.getByRole('heading', { name: 'Cooperativa Sertão Verde' });
    await heading.waitFor();
    await expect.poll(() => isFocused(heading)).toBe(true);

    const edit = page.getByRole('button', { name: 'Edit' });
    await press(page, edit);
    await expect.poll(() => isFocused(page.getByLabel('Name', { exact: true }))).toBe(true);
    await tabTo(page, page.getByLabel('Trade name'));
    await keyboard.press('Control+A');
    await keyboard.type('Sertão');
    await keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await isFocused(edit)).toBe(true);

    const add = page.getByRole('button', { name: 'New address' });
    await press(page, add);
    await expect.poll(() => isFocused(page.getByLabel('Postal code'))).toBe(true);
    await keyboard.type('69900064');
    await keyboard.press('Tab');
    await keyboard.type('Rua Benjamin Constant');
    await keyboard.press('Tab');
    await keyboard.type('856');
    await tabTo(page, page.getByLabel('State', { exact: true }));
    await keyboard.type('Acre');
    await expect.poll(() => page.getByLabel('City').isEnabled()).toBe(true);
    await tabTo(page, page.getByLabel('City'));
    await keyboard.type('Rio Branco');
    await press(page, page.getByRole('button', { name: 'Add address' }));
    await page.getByText('Rio Branco – AC').waitFor();
    expect(await isFocused(add)).toBe(true);

    await tabTo(page, page.getByLabel('Upload a file'));
    await press(page, page.getByRole('button', { name: 'Sign out' }));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });
});
