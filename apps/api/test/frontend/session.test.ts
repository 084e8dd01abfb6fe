import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { read } from '../support/project-files.ts';
import { changeSession, hold, listedOrganizations, refuse, rejectToken, storedSession } from './visit.ts';
import { chromium, usePage } from './world.ts';

const tenants = { harvest: 'Harvest for Cooperativa Central', ledger: 'Ledger for Cooperativa Central' };
const harvest = ['Cooperativa Agrícola Vale do Itajaí', 'Cooperativa dos Produtores do Cerrado', 'Cooperativa Sertão Verde'];
const ledger = ['Cooperativa Amazônia Viva', 'Cooperativa Sertão Verde'];

/** Holds the first renewal until it is released. Refuses to renew with the same refresh token again, as Keycloak does with Revoke Refresh Token. */
async function holdRenewals(page: Page): Promise<{ sent: string[]; release: () => void }> {
  const sent: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/openid-connect\/token$/, async (route) => {
    const token = new URLSearchParams(route.request().postData() ?? '').get('refresh_token') ?? '';
    const isReused = sent.push(token) !== new Set(sent).size;
    const headers = { 'access-control-allow-origin': '*' };
    if (isReused) return route.fulfill({ status: 400, headers, json: { error: 'invalid_grant' } });
    await held;
    return route.continue();
  });
  return { sent, release };
}

describe.skipIf(!chromium)('the session of the example frontend', () => {
  const { open, signIn } = usePage();

  test('begins at the login page, returns to the route of the visitor, and ends at the identity provider too', async () => {
    const { page, problems, signIn: enter } = await open();
    await page.goto(`${page.url()}#/?name=cerrado`);
    await enter('carlos@example.com');
    await expect.poll(() => listedOrganizations(page)).toEqual(['Cooperativa dos Produtores do Cerrado']);
    expect(page.url()).toMatch(/^http:\/\/localhost:\d+\/#\/\?name=cerrado$/);
    await page.getByText('Carlos Rocha').waitFor();
    await page.reload();
    await page.getByText('Carlos Rocha').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('#password').waitFor();
    expect(problems).toEqual([]);
  });

  test('does not begin and is not renewed while the identity provider is unreachable, and the page says so', async () => {
    const { page, signIn: enter } = await open();
    await page.route(/openid-configuration/, refuse);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('You are not signed in').waitFor();
    await page.unroute(/openid-configuration/);
    await enter('carlos@example.com');
    await changeSession(page, { expires_at: 1 });
    await page.route(/openid-connect\/token$/, refuse);
    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).click();
    await page.getByText('Your session could not be renewed').waitFor();
    await page.unroute(/openid-connect\/token$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Cooperativa Sertão Verde' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('is renewed before the token expires, and by the next request after it has expired', async () => {
    const { page, problems, signIn: enter } = await open();
    await page.clock.install();
    await enter('carlos@example.com');
    const { access_token: first } = await storedSession(page);
    await page.clock.fastForward('59:30');
    await expect.poll(async () => (await storedSession(page))['access_token']).not.toBe(first);

    const { access_token: second } = await storedSession(page);
    await changeSession(page, { expires_at: 1 });
    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).click();
    await page.getByText('Current').waitFor();
    expect((await storedSession(page))['access_token']).not.toBe(second);
    expect(problems).toEqual([]);
  });

  test('is renewed once when a rejected token is about to expire, so the identity provider may accept a refresh token only once', async () => {
    const { page, problems, signIn: enter } = await open();
    await page.clock.install();
    await enter('carlos@example.com');
    const now = await page.evaluate(() => Date.now());
    await changeSession(page, { expires_at: Math.floor(now / 1000) + 50 });
    await page.route(/trpc\/organizations\.get/, rejectToken, { times: 1 });
    const renewals = await holdRenewals(page);
    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).click();
    await expect.poll(() => renewals.sent).toHaveLength(1);
    // The library raises its expiring event 60 seconds before the token expires, or after one second.
    await page.clock.fastForward(3000);
    await page.getByRole('heading', { name: 'Cooperativa Sertão Verde' }).or(page.getByText('Loading the organization')).waitFor();
    renewals.release();
    await page.getByRole('heading', { name: 'Cooperativa Sertão Verde' }).waitFor();
    await page.getByText('Current').waitFor();
    expect(renewals.sent).toHaveLength(1);
    expect(problems).toEqual(['401 /trpc/organizations.get']);
  });

  test('ends when the identity provider refuses to renew it, unless its refresh token has been replaced meanwhile', async () => {
    const { page, problems } = await signIn('carlos@example.com');
    const { expires_at } = await storedSession(page);
    await changeSession(page, { expires_at: 1, refresh_token: 'used' });
    const renewals = await holdRenewals(page);
    await page.getByRole('link', { name: 'Cooperativa Sertão Verde' }).click();
    await expect.poll(() => renewals.sent).toEqual(['used']);
    await changeSession(page, { expires_at, refresh_token: 'newer' });
    renewals.release();
    await page.getByText('Current').waitFor();

    await changeSession(page, { expires_at: 1, refresh_token: 'revoked' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const refused = '400 /realms/profile/protocol/openid-connect/token';
    expect(problems).toEqual([refused, refused]);
  });

  test('has an active tenant: the page shows only its organizations, and keeps the choice', async () => {
    const { page, problems } = await signIn('beto@example.com');
    const tenant = page.getByLabel('Tenant');
    await tenant.selectOption({ label: tenants.harvest });
    await expect.poll(() => listedOrganizations(page)).toEqual(harvest);

    const list = await hold(page, /organizations\.list/);
    let loads = 0;
    page.on('requestfinished', (request) => void (loads += Number(request.url().includes('organizations.list'))));
    await tenant.selectOption({ label: tenants.ledger });
    await page.getByText('Loading organizations').waitFor();
    expect(await listedOrganizations(page)).toEqual([]);
    list.release();
    await expect.poll(() => listedOrganizations(page)).toEqual(ledger);
    // A tenant-admin's list is loaded again when the stream of events has begun.
    await expect.poll(() => loads, { timeout: 5_000 }).toBe(2);

    await page.reload();
    await expect.poll(() => listedOrganizations(page)).toEqual(ledger);
    expect(problems).toEqual([]);
  });

  test('is protected by the headers that the README names', async () => {
    const { headers } = await fetch((await open()).page.url());
    const readme = read('examples/frontend/README.md');
    for (const name of ['Content-Security-Policy', 'Referrer-Policy', 'X-Content-Type-Options']) {
      const value = headers.get(name)?.replace(/connect-src \S+ \S+;/, 'connect-src https://profile.example.com https://id.example.com;');
      expect(readme).toContain(`\n    ${name}: ${value}\n`);
    }
  });

  test('of a Global user needs no tenant', async () => {
    const { page, problems } = await signIn('gloria@example.com');
    expect(await page.getByLabel('Tenant').locator('option').allInnerTexts()).toEqual(['All tenants']);
    await expect.poll(() => listedOrganizations(page)).toHaveLength(4);
    expect(problems).toEqual([]);
  });
});
