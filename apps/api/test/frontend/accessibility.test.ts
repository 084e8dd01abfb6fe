import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from '../../../../test/axe.ts';
import { fillAddress, isFocused } from './visit.ts';
import { chromium, usePage } from './world.ts';

/** Whether the page fits a window of this width without horizontal scrolling. */
async function fits(page: Page, width: number): Promise<boolean> {
  const { width: usual, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width, height });
  const isFitting = await page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
  await page.setViewportSize({ width: usual, height });
  return isFitting;
}

/** Presses Tab until the control has the focus, then types the text. */
async function typeInto(page: Page, control: Locator, text = ''): Promise<void> {
  await control.waitFor();
  for (let presses = 0; !(await isFocused(control)); presses += 1) {
    if (presses === 40) throw new Error(`Tab does not reach ${String(control)}`);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type(text);
}

/** Presses Enter on the control. */
const press = (page: Page, control: Locator) => typeInto(page, control, '\n');

describe.skipIf(!chromium)('the page of the example frontend', () => {
  const { open } = usePage();

  test('breaks no rule of axe in light and dark colours, and fits a narrow window', async () => {
    const { page, signIn: enter } = await open();
    const expectAccessible = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page)).toEqual([]);
      }
      expect(await fits(page, 320)).toBe(true);
    };
    const visitRoute = (route: string) => page.goto(new URL(route, page.url()).href);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectAccessible();
    await enter('teresa@example.com');
    await page.getByText('3 organizations', { exact: true }).waitFor();
    await expectAccessible();

    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).click();
    await page.getByText('Petrolina – PE').waitFor();
    await page.getByText('No file yet.').waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'New address' }).click();
    await fillAddress(page, '1');
    await page.getByRole('button', { name: 'Add address' }).click();
    await page.getByText('Correct the marked fields').waitFor();
    await page.getByLabel('Upload a file').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await page.getByText('InvalidAttachmentTypeError').waitFor();
    await expectAccessible();

    await visitRoute('#/organizations/new');
    await page.getByRole('heading', { name: 'New organization' }).waitFor();
    await expectAccessible();
    await visitRoute('#/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expectAccessible();
    await visitRoute('#/organizations/gone');
    await page.getByRole('alert').waitFor();
    await expectAccessible();
  });

  test('is used with the keyboard alone', async () => {
    const { page, problems } = await open();
    const { keyboard } = page;
    await press(page, page.getByRole('button', { name: 'Sign in' }));
    await typeInto(page, page.locator('#username'), 'beto@example.com');
    await typeInto(page, page.locator('#password'), 'demo\n');

    const tenant = page.getByLabel('Tenant');
    await typeInto(page, tenant);
    const before = await tenant.inputValue();
    await keyboard.press('ArrowDown');
    if ((await tenant.inputValue()) === before) await keyboard.press('ArrowUp');
    await expect.poll(() => tenant.inputValue()).not.toBe(before);
    await page.getByText(/^\d organizations/).waitFor();
    expect(await isFocused(tenant)).toBe(true);

    await typeInto(page, page.getByLabel('Search by name'), 'sertao');
    await page.getByText('1 organizations', { exact: true }).waitFor();
    await press(page, page.getByRole('link', { name: 'Cooperativa Sertão Verde' }));
    const heading = page.getByRole('heading', { name: 'Cooperativa Sertão Verde' });
    await heading.waitFor();
    await expect.poll(() => isFocused(heading)).toBe(true);

    const edit = page.getByRole('button', { name: 'Edit' });
    await press(page, edit);
    await expect.poll(() => isFocused(page.getByLabel('Name', { exact: true }))).toBe(true);
    await typeInto(page, page.getByLabel('Trade name'));
    await keyboard.press('Control+A');
    await keyboard.type('Sertão\n');
    await page.getByText('Saved.').waitFor();
    expect(await isFocused(edit)).toBe(true);

    const add = page.getByRole('button', { name: 'New address' });
    await press(page, add);
    await expect.poll(() => isFocused(page.getByLabel('Postal code'))).toBe(true);
    await keyboard.type('69900064');
    await typeInto(page, page.getByLabel('Street'), 'Rua Benjamin Constant');
    await typeInto(page, page.getByLabel('Number'), '856');
    await typeInto(page, page.getByLabel('State', { exact: true }), 'Acre');
    await expect.poll(() => page.getByLabel('City').isEnabled()).toBe(true);
    await typeInto(page, page.getByLabel('City'), 'Rio Branco');
    await press(page, page.getByRole('button', { name: 'Add address' }));
    await page.getByText('Rio Branco – AC').waitFor();
    expect(await isFocused(add)).toBe(true);

    await typeInto(page, page.getByLabel('Upload a file'));
    await press(page, page.getByRole('button', { name: 'Sign out' }));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });
});
