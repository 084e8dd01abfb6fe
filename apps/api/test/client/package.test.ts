import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type * as clientModule from '@profile-service/client';
import { absentId } from '@profile-service/contracts/examples';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { launchChromium } from '../../../../test/chromium.ts';
import { bundle, compile, packClient, readmeDeclarations, readReadmeProgram, tsconfig } from '../../../../test/client-package.ts';
import { linkedOrganization } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const chromium = inject('chromium');

let page: { server: Server; origin: string; html: string };
let world: ClientWorld;
let tarball: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-client-'));
  page = await startPage();
  [world, { tarball }] = await Promise.all([startClientWorld(page.origin), packClient(folder)]);
});
afterAll(async () => {
  await world.stop();
  page.server.closeAllConnections();
  await once(page.server.close(), 'close');
  await rm(folder, { recursive: true });
});

/** A service with what the README of the client assumes: a member of a tenant, an organization, and the application of the tenant. */
interface ClientWorld extends World {
  member: Person;
  tenantId: string;
  organizationId: string;
  clientSecret: string;
}

/** Starts the world. @param origin of a page that may call the service */
async function startClientWorld(origin: string): Promise<ClientWorld> {
  const started = await startWorld({ CORS_ORIGINS: origin });
  const { customerId, appId } = await started.tenant();
  const body = { customerId, appId, name: 'Harvest', identityClientId: 'harvest' };
  const { id: tenantId } = await started.create<{ id: string }>('POST /api/tenants', body);
  const organizationId = await linkedOrganization(started, tenantId);
  const member = await started.person({ [tenantId]: 'tenant-admin' });
  return { ...started, member, tenantId, organizationId, clientSecret: 'test-harvest-secret' };
}

/** Serves `html` at every path. */
async function startPage(): Promise<typeof page> {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page.html));
  const port = await listen(server);
  return { server, origin: `http://127.0.0.1:${port}`, html: '' };
}

/** Values for what the README leaves to the reader, and what its program prints at the end. */
const surround = (program: string, { member, tenantId, organizationId, clientSecret, newPerson }: ClientWorld) => `
  const session = ${JSON.stringify({ accessToken: member.token, tenantId })};
  const id = '${organizationId}';
  const file = new File(['%PDF-1.7\\n', new Uint8Array(300_000)], 'statute.pdf', { type: 'application/pdf' });
  const controller = new AbortController();
  const clientSecret = '${clientSecret}';
  const newUser = ${JSON.stringify({ ...newPerson(), persona: 'technician' })};
  const shown = [];
  const show = (text) => shown.push(text);
  ${program}
  const missing = await profile.organizations.get.safe({ id: '${absentId}' });
  const wrongSecret = clientCredentials({ issuer: '${world.identity.realmUrl}', clientId: 'harvest', clientSecret: 'wrong' });
  const refused = await createProfileClient({ url: '${world.service.url}', token: wrongSecret }).service.organizations.list.safe();
  console.log(JSON.stringify({
    total, first: organization.id === id, code: missing.error.code, requestId: missing.error.requestId, isError: isProfileError(missing.error),
    shown, bytes: content.size, linked: linked.total, user: user.data.email === newUser.email, refused: refused.error,
    message: refused.error.message,
  }));
`;

/** The oldest supported tRPC, and the newest. */
describe.each(['11.4.0', '11.25.2'])('the packed client with tRPC %s', (version) => {
  let project: string;
  beforeAll(async () => {
    project = await mkdtemp(join(folder, 'project-'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    const packages = [tarball, `@trpc/client@${version}`, `@trpc/server@${version}`];
    // Not the peer dependencies of tRPC: the compiler is that of this repository.
    await run('npm', ['install', '--omit=peer', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: project });
  });

  test.each(['browser', 'node'] as const)('compiles for %s with strict options, and the types of all packages too', async (platform) => {
    await writeFile(join(project, 'tsconfig.json'), tsconfig(platform, { skipLibCheck: false }));
    await writeFile(join(project, 'readme.ts'), readmeDeclarations + (await readReadmeProgram('ts')));
    expect(await compile(project)).toBe('');
  });

  test('runs the program of the README in Node', async () => {
    const program = (await readReadmeProgram('ts'))
      .replaceAll('http://localhost:3000', world.service.url)
      .replaceAll('http://localhost:3001/realms/profile', world.identity.realmUrl);
    await writeFile(join(project, 'run.mts'), surround(program, world));
    const { stdout } = await run(process.execPath, [join(project, 'run.mts')]);
    const printed = JSON.parse(stdout) as { shown: string[] };
    expect(printed).toMatchObject({
      total: 1,
      first: true,
      code: 'ORGANIZATION_NOT_FOUND',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      isError: true,
      bytes: 300_009,
      linked: 1,
      user: true,
      refused: { name: 'ProfileError', code: 'TOKEN_FAILED' },
      message: expect.stringMatching(/^The token could not be obtained: http.* responded with 401/),
    });
    expect(printed.shown).toEqual(expect.arrayContaining(['Vale Verde', '300009 of 300009 bytes', 'statute.pdf, 300009 bytes']));
    expect(printed.shown.filter((text) => text.endsWith('of 300009 bytes')).length).toBeGreaterThan(2);
  });

  describe.skipIf(!chromium)('in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => (browser = await launchChromium(chromium ?? '')));
    afterAll(() => browser.close());

    test('queries, uploads with progress, and throws errors', async () => {
      await writeFile(join(project, 'page.js'), `export * from '@profile-service/client';`);
      const script = await bundle(join(project, 'page.js'), 'profileClient');
      page.html = `<!doctype html><title>Client</title><script>${script}</script>`;
      const opened = await browser.newPage();
      await opened.goto(page.origin);
      const failed: string[] = [];
      opened.on('requestfailed', (request) => failed.push(request.method()));
      const devtools = await opened.context().newCDPSession(opened);
      // Slow enough for several progress events.
      const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2_000_000 };
      await devtools.send('Network.emulateNetworkConditions', conditions);
      const result = await opened.evaluate(inPage, {
        url: world.service.url,
        token: world.member.token,
        tenantId: world.tenantId,
        id: world.organizationId,
        absentId,
      });
      expect(result).toMatchObject({ total: 1, aborted: 'ABORTED', missing: ['ORGANIZATION_NOT_FOUND', 404, true], downloaded: 2_000_009 });
      // The upload that was aborted. A complete download must not be shown as cancelled.
      expect(failed).toEqual(['POST']);
      expect(result.requestId).toMatch(/^[\da-f-]{36}$/);
      const loaded = result.progress.map((each) => each.loaded);
      expect(loaded.length).toBeGreaterThan(2);
      expect(loaded.some((bytes) => bytes > 0 && bytes < 2_000_009)).toBe(true);
      expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
      expect(loaded.at(-1)).toBe(2_000_009);
      expect(result.progress.every(({ total }) => total === 2_000_009)).toBe(true);
    });
  });
});

interface PageOptions {
  url: string;
  token: string;
  tenantId: string;
  id: string;
  absentId: string;
}

/** Runs in the page. */
async function inPage({ url, token, tenantId, id, absentId: absent }: PageOptions) {
  const { createProfileClient, isProfileError } = (globalThis as unknown as { profileClient: typeof clientModule }).profileClient;
  const profile = createProfileClient({ url, token, tenantId });
  const [{ total }, missing] = await Promise.all([profile.organizations.list.query(), profile.organizations.get.safe({ id: absent })]);
  const file = new File(['%PDF-1.7\n', new Uint8Array(2_000_000)], 'statute.pdf', { type: 'application/pdf' });
  const progress: { loaded: number; total?: number }[] = [];
  const fields = { entityType: 'ORGANIZATION', entityId: id } as const;
  const uploaded = await profile.attachments.upload(file, fields, { onProgress: (now) => progress.push(now) });
  const abort = new AbortController();
  const aborted = profile.attachments.upload.safe(file, fields, { onProgress: () => abort.abort(), signal: abort.signal });
  let downloaded = 0;
  // Chromium shows only some of the downloads that are read by chunks as cancelled.
  for (let count = 0; count < 10; count += 1) downloaded = (await (await profile.attachments.download(uploaded.id)).bytes()).length;
  const { error } = missing;
  return {
    total,
    progress,
    downloaded,
    aborted: (await aborted).error?.code,
    missing: [error?.code, error?.status, isProfileError(error, 'ORGANIZATION_NOT_FOUND')],
    requestId: error?.requestId,
  };
}
