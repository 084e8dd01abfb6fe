import { errorCodes } from '@profile-service/contracts';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { violations } from '../../../../test/axe.ts';
import { launchChromium } from '../../../../test/chromium.ts';
import { newVisitor, type Visitor, type VisitorOptions } from '../../../../test/visitor.ts';
import { demoGlobal, demoPassword, demoPeople, demoTenants } from '../../local/people.ts';
import { useLocalStart } from '../support/local-start.ts';
import { logIn, openOperation, sendRequest } from './api-reference.ts';

const run = promisify(execFile);
const chromium = inject('chromium');

const started = useLocalStart();
let browser: Browser | undefined;
beforeAll(async () => {
  // No name but localhost resolves, so a page that needs another host fails.
  if (chromium) browser = await launchChromium(chromium, ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost']);
});
afterAll(() => browser?.close());

/** Opens a page as a new visitor. */
async function open(path: string, options?: VisitorOptions): Promise<Visitor> {
  const visitor = await newVisitor(browser!, {
    origins: [started.url, started.identityUrl],
    viewport: { width: 1400, height: 1000 },
    ...options,
  });
  await visitor.page.goto(started.url + path);
  return visitor;
}

async function getToken(form: Record<string, string>): Promise<string> {
  const tokenUrl = `${started.identityUrl}/realms/profile/protocol/openid-connect/token`;
  const response = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
  return ((await response.json()) as { access_token: string }).access_token;
}

const decode = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

describe('the landing page of npm start', () => {
  const landingPage = async () => (await fetch(started.url)).text();

  test('has commands that work', async () => {
    const page = await landingPage();
    const samples = [...page.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)].map(([, commands = '']) => decode(commands));
    expect(samples).toHaveLength(7);
    const { stdout } = await run('bash', ['-c', samples.join('\necho =====\n')], { cwd: started.folder });
    const outputs = stdout.split('=====\n').map((part) => part.trim().split('\n'));
    const [permissions, service, tenants, conflict, isolation, file, addresses] = outputs;
    const json = (text = '') => JSON.parse(text) as unknown;
    expect(json(permissions?.[0])).toMatchObject({ email: demoGlobal.email, type: 'Global' });
    expect(json(service?.[0])).toMatchObject({ total: 3 });
    expect(tenants?.map(json)).toMatchObject([{ code: 'ACTIVE_TENANT_REQUIRED' }, { total: 2 }]);
    expect(conflict?.[0]).toContain('409');
    expect(json(conflict?.at(-1))).toMatchObject({ code: 'CUSTOMER_ALREADY_EXISTS' });
    expect(isolation?.map(json)).toMatchObject([{ name: 'Cooperativa Amazônia Viva' }, { code: 'ORGANIZATION_NOT_FOUND' }]);
    expect(file).toEqual(['%PDF-1.7']);
    const [created, history] = (addresses ?? []).map(json) as [{ id: string }, { data: { id: string; validTo: string | null }[] }];
    expect(history.data).toHaveLength(2);
    expect(history.data.filter(({ validTo }) => validTo === null)).toMatchObject([{ id: created.id }]);
  });

  test('names every login, and links to pages that exist', async () => {
    const page = await landingPage();
    for (const { name, email } of [demoGlobal, ...demoPeople]) expect(page).toMatch(new RegExp(`${name}.*${email}`));
    for (const { clientId, clientSecret } of demoTenants) expect(page).toMatch(new RegExp(`${clientId}.*${clientSecret}`));
    expect(page).toContain(`<code>${demoPassword}</code>`);
    const links = [...page.matchAll(/href="([^"#]+)"/g)].map(([, address = '']) => new URL(address, started.url).href);
    expect(links).toContain(started.banner.match(/http:\S+mailbox/)?.[0]);
    for (const link of new Set(links)) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  });
});

describe.skipIf(!chromium)('in Chromium,', () => {
  test.each(['/', '/errors', '/errors#NOT_ALLOWED'])('%s is accessible in light and dark, and needs no other host', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, leave } = await open(path, { colorScheme });
      expect([path, colorScheme, await violations(page)]).toEqual([path, colorScheme, []]);
      await leave();
    }
  });

  test('the landing page copies the commands of a sample', async () => {
    const { page, leave } = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy the commands: Switch the tenant' }).press('Enter');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^TOKEN=\$\(token beto\)\n/);
    await leave();
  });

  test('the error catalogue is filtered with the keyboard, highlights the code of its address, and is a list without scripts', async () => {
    const { page, leave } = await open('/errors#RATE_LIMITED');
    const background = (code: string) => page.evaluate(`getComputedStyle(document.getElementById('${code}')).backgroundColor`);
    expect(await background('RATE_LIMITED')).not.toBe(await background('NOT_ALLOWED'));
    await page.keyboard.press('/');
    await page.keyboard.type('customer exists');
    const shown = page.locator('article:visible');
    expect(await shown.evaluateAll((articles) => articles.map(({ id }) => id))).toEqual(['CUSTOMER_ALREADY_EXISTS']);
    expect(await page.getByRole('status').textContent()).toBe(`1 of ${errorCodes.length} codes`);
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#CUSTOMER_ALREADY_EXISTS');
    expect(await background('CUSTOMER_ALREADY_EXISTS')).not.toBe(await background('RATE_LIMITED'));
    // A link to a code that the filter hides shows it.
    await page.evaluate("location.hash = 'UNAUTHORIZED'");
    await page.locator('#UNAUTHORIZED').waitFor({ state: 'visible' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await leave();

    const withoutScripts = await open('/errors', { javaScriptEnabled: false });
    expect(await withoutScripts.page.locator('article:visible').count()).toBe(errorCodes.length);
    expect(await withoutScripts.page.getByRole('searchbox').isVisible()).toBe(false);
    await withoutScripts.leave();
  });

  test('an operation of the error catalogue opens in the API reference', async () => {
    const { page, leave } = await open('/errors#FILE_REQUIRED');
    await page.locator('#FILE_REQUIRED').getByRole('link', { name: 'Upload a file', exact: true }).click();
    await page.getByRole('button', { name: 'Test Request (post /api/attachments)' }).waitFor({ state: 'visible' });
    await expect
      .poll(() => page.getByRole('heading', { name: 'Upload a file' }).evaluate((heading) => heading.getBoundingClientRect().top))
      .toBeLessThan(500);
    await leave();
  });

  test('the API reference logs a user in, and sends requests and files with their token', async () => {
    const { page, leave } = await open('/docs');
    await logIn(page, 'carlos@example.com', demoPassword);
    await openOperation(page, 'tag/me/GET/api/me/permissions');
    expect(await sendRequest(page)).toMatchObject({ status: 200, body: { email: 'carlos@example.com', persona: 'coordinator' } });
    await openOperation(page, 'tag/attachments/POST/api/attachments');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('dialog').getByRole('button', { name: 'Select File' }).first().click(),
    ]);
    await chooser.setFiles({ name: 'contract.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') });
    expect(await sendRequest(page)).toMatchObject({ status: 201, body: { originalFilename: 'contract.pdf' } });
    // The login ends on this page in the pop-up window, which can close while it loads the document.
    await leave('Failed to fetch document');
  });

  test('the curl sample of an upload works as the API reference shows it', async () => {
    const { page, leave } = await open('/docs#tag/attachments/POST/api/attachments');
    const button = page.getByRole('button', { name: 'Test Request (post /api/attachments)' });
    const sample = await page.locator('.request-card').filter({ has: button }).locator('pre').innerText();
    const token = await getToken({ grant_type: 'password', client_id: 'web', username: 'carlos@example.com', password: demoPassword });
    await writeFile(join(started.folder, 'estatuto.pdf'), '%PDF-1.7\n');
    const { stdout } = await run('bash', ['-c', sample.replace('YOUR_SECRET_TOKEN', token)], { cwd: started.folder });
    expect(JSON.parse(stdout)).toMatchObject({ originalFilename: 'estatuto.pdf', entityType: 'DOCUMENT', description: 'Estatuto social' });
    await leave();
  });

  test("the API reference sends requests with an application's token", async () => {
    const [{ clientId, clientSecret }] = demoTenants;
    const token = await getToken({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
    const { page, leave } = await open('/docs');
    await openOperation(page, 'tag/organizations/GET/service/organizations');
    await page.getByRole('dialog').getByPlaceholder('Token', { exact: true }).fill(token);
    expect(await sendRequest(page)).toMatchObject({ status: 200, body: { total: 3 } });
    await leave();
  });
});
