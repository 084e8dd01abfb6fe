import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { listedOrganizations, openOrganization, refuse, rejectToken } from './visit.ts';
import { chromium, usePage } from './world.ts';

const stream = /trpc\/events\.stream/;
const cerrado = 'Cooperativa dos Produtores do Cerrado';

const rows = (page: Page) => expect.poll(() => listedOrganizations(page), { timeout: 10_000 });
const live = (page: Page) => page.getByText('Live', { exact: true });

/** Edits the name of the organization that the page shows. */
async function rename(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
}

/** Sends one message of a stream that then ends, in which this cursor is the position. */
const brokenStream = (cursor: string) => ({
  headers: { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' },
  body: `event: connected\ndata: {}\n\nevent: ping\ndata:\nid: ${cursor}\n\n`,
});

describe.skipIf(!chromium)('the live updates of the example frontend', () => {
  const { open, signIn, login } = usePage();

  test('show in one browser what is changed in another, without a reload', async () => {
    const teresa = await signIn('teresa@example.com');
    const carlos = await signIn('carlos@example.com');
    await live(teresa.page).waitFor();
    await openOrganization(carlos.page, cerrado);
    await rename(carlos.page, 'Cooperativa Renomeada');
    await rows(teresa.page).toContain('Cooperativa Renomeada');
    await teresa.page.getByRole('link', { name: 'Cooperativa Renomeada' }).click();
    await teresa.page.getByRole('heading', { name: 'Cooperativa Renomeada', level: 1 }).waitFor();
    await rename(carlos.page, cerrado);
    await teresa.page.getByRole('heading', { name: cerrado, level: 1 }).waitFor();

    const { organizations } = await login('teresa@example.com');
    await organizations.remove.mutate({ id: teresa.page.url().split('/').at(-1) ?? '' });
    await teresa.page.getByRole('alert').getByText('ORGANIZATION_NOT_FOUND').waitFor();
    await teresa.page.getByRole('link', { name: 'All organizations' }).click();
    await rows(teresa.page).not.toContain(cerrado);
    expect(teresa.problems).toEqual(['404 /trpc/organizations.get']);
    expect(carlos.problems).toEqual([]);
  });

  test('continue with a new token, and after a disconnection so long that the cursor has expired', async () => {
    const { page, problems, signIn: enter } = await open();
    let first: string | undefined;
    await page.route(stream, (route) => {
      const { authorization } = route.request().headers();
      first ??= authorization;
      return authorization === first ? rejectToken(route) : route.continue();
    });
    await enter('teresa@example.com');
    await live(page).waitFor();
    expect(problems).toEqual([]);

    const { organizations } = await login('teresa@example.com');
    const name = 'Cooperativa Sertão Verde';
    const [organization] = (await organizations.list.query({ name })).data;
    await page.route(stream, refuse);
    await page.route(stream, (route) => route.fulfill(brokenStream('MS4xLjE')), { times: 1 });
    await page.reload();
    await page.getByText('Reconnecting…').waitFor();
    await rows(page).toContain(name);
    await organizations.update.mutate({ id: organization!.id, name: 'Cooperativa Distante' });
    const expired = page.waitForRequest(async (request) => (await request.allHeaders())['last-event-id'] === 'MS4xLjE');
    await page.unroute(stream);
    await expired;
    await rows(page).toContain('Cooperativa Distante');
    await live(page).waitFor();
  });

  test('end without an error when access to events ends, and do not begin for a viewer', async () => {
    const beto = await signIn('beto@example.com');
    await beto.page.getByLabel('Tenant').selectOption({ label: 'Ledger for Cooperativa Central' });
    await live(beto.page).waitFor();
    const [gloria, me] = [await login('gloria@example.com'), await login('beto@example.com')];
    const [{ userId }, tenants] = await Promise.all([me.me.permissions.query(), me.me.tenants.query()]);
    const tenantId = tenants.data.find(({ name }) => name.startsWith('Ledger'))?.id ?? '';
    await gloria.memberships.assign.mutate({ userId, tenantId, persona: 'viewer' });
    await live(beto.page).waitFor({ state: 'detached' });
    await beto.page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    expect(await beto.page.getByRole('alert').count()).toBe(0);
    expect(beto.problems).toEqual([]);

    const vera = await open();
    const requests: string[] = [];
    vera.page.on('request', (request) => void requests.push(request.url()));
    await vera.signIn('vera@example.com');
    await rows(vera.page).not.toEqual([]);
    await vera.page.getByRole('rowheader').getByRole('link').first().click();
    await vera.page.getByText('Current').waitFor();
    expect(requests.filter((url) => stream.test(url))).toEqual([]);
    expect(vera.problems).toEqual([]);
  });
});
