import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { demoOrganizations } from '../../local/organizations.ts';
import { demoGlobal, demoPeople } from '../../local/people.ts';
import { freePort, isRunning, localStart, type LocalStart, login, postgresOn, spawnLocalStart } from '../support/local-start.ts';
import { startTlsFront } from '../support/tls-front.ts';

const run = promisify(execFile);
const arrival = { timeout: 30_000, interval: 50 };

let dataDir: string;
let port: string;
const starts: Pick<LocalStart, 'child' | 'ended'>[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'profile-local-'));
  port = String(await freePort());
});
afterEach(async () => {
  for (const { child, ended } of starts.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  // Of a start that was killed it follows a moment later, and needs its folder until then.
  await vi.waitUntil(async () => (await postgresOn(dataDir)) === undefined, arrival);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(settings: Record<string, string> = {}, lastWords?: string): Promise<LocalStart> {
  const started = await localStart({ DATA_DIR: dataDir, PORT: port, ...settings }, lastWords);
  starts.push(started);
  return started;
}

/** A start that is expected to end by itself. */
function refused(settings: Record<string, string> = {}) {
  const started = spawnLocalStart({ DATA_DIR: dataDir, PORT: port, ...settings });
  starts.push(started);
  return started.ended;
}

async function query(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client(connectionString);
  await client.connect();
  await client.query(text);
  await client.end();
}

async function stop({ child, ended }: LocalStart): Promise<void> {
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 0, errors: '' });
}

describe('npm start', { timeout: 120_000 }, () => {
  test('prints commands that work when they are pasted, and logins of everybody', async () => {
    const started = await start();
    const commands = started.banner.split('\n').filter((line) => /^ {4}(\w+=\$\(curl|curl) /.test(line));
    expect(commands).toHaveLength(4);
    const { stdout } = await run('bash', ['-c', commands.join('\n').replaceAll('curl -s -H', 'echo; curl -s -H')]);
    const [organizations, ofHarvest] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { data: unknown[] });
    expect(organizations).toMatchObject({ total: 4 });
    expect(ofHarvest).toMatchObject({ total: 3 });

    for (const { email, type, memberships } of [demoGlobal, ...demoPeople]) {
      expect(started.banner).toContain(email);
      const person = await login(started, email);
      expect(await person.me.permissions.query()).toMatchObject({ email, type });
      const { data } = await person.me.tenants.query();
      expect(data.map(({ persona }) => persona).toSorted()).toEqual(Object.values(memberships).toSorted());
    }
    for (const address of started.banner.match(/http:\S+(docs|openapi.json|mailbox)$/gm) ?? [])
      expect((await fetch(address)).status).toBe(200);
  });

  test('has the whole map, and organizations with real addresses in it that belong to the tenants', async () => {
    const started = await start();
    const gloria = await login(started, demoGlobal.email);
    expect((await gloria.states.list.query({})).total).toBe(27);
    expect((await gloria.cities.list.query({})).total).toBe(5571);
    const { data: addresses } = await gloria.organizationAddresses.list.query({ currentOnly: true });
    expect(addresses).toHaveLength(demoOrganizations.length);
    for (const { organization, apps } of demoOrganizations) {
      const { cityCode, stateCode } = organization.address;
      expect(addresses).toContainEqual(expect.objectContaining({ cityCode, stateCode }));
      const { data: found } = await gloria.organizations.list.query({ name: organization.name });
      expect(found).toMatchObject([{ federalTaxId: organization.federalTaxId }]);
      const tenants = (await gloria.tenants.list.query({})).data.filter(({ name }) => apps.some((app) => name.startsWith(app)));
      expect(tenants).toHaveLength(apps.length);
      for (const { id } of tenants)
        expect((await gloria.tenants.organizations.query({ tenantId: id })).data.map(({ name }) => name)).toContain(organization.name);
    }
  });

  test('keeps the data, leaves a demo world that was changed as it is, and ends with all it started, however often it is told', async () => {
    const first = await start();
    const gloria = await login(first, demoGlobal.email);
    const { data: people } = await gloria.users.list.query({ limit: 100 });
    const [vera, tania] = ['vera', 'tania'].map((name) => people.find(({ email }) => email.startsWith(name))?.id ?? '') as [string, string];
    await gloria.users.remove.mutate({ id: vera });
    await gloria.users.update.mutate({ id: tania, email: 'tania.prado@example.com' });
    await gloria.states.update.mutate({ stateCode: 35, name: 'Sampa' });
    const made = await gloria.customers.create.mutate({ federalTaxId: '99888777000166', name: 'Cooperativa do Sul' });
    await stop(first);

    const second = await start();
    const later = await login(second, demoGlobal.email);
    expect((await later.users.list.query({ limit: 100 })).data.map(({ email }) => email).toSorted()).toEqual([
      'beto@example.com',
      'carlos@example.com',
      'gloria@example.com',
      'tania.prado@example.com',
      'teresa@example.com',
    ]);
    expect(await later.customers.get.query({ id: made.id })).toMatchObject({ name: 'Cooperativa do Sul' });
    expect((await later.tenants.list.query({})).total).toBe(2);
    expect((await later.organizations.list.query({})).total).toBe(demoOrganizations.length);
    expect(await later.states.get.query({ stateCode: 35 })).toMatchObject({ name: 'Sampa' });
    expect(await (await login(second, 'teresa@example.com')).me.permissions.query()).toMatchObject({ persona: 'tenant-admin' });

    const postgres = (await postgresOn(dataDir)) ?? 0;
    expect(isRunning(postgres)).toBe(true);
    // As one Ctrl-C does: the terminal, npm and the bootstrap all pass it on.
    const again = setInterval(() => second.child.kill('SIGINT'), 5);
    expect(await second.ended.finally(() => clearInterval(again))).toEqual({ code: 0, errors: '' });
    expect(isRunning(postgres)).toBe(false);
    for (const path of [`${port}/health/live`, `${Number(port) + 1}/mailbox`]) {
      await expect(fetch(`http://localhost:${path}`)).rejects.toThrow('fetch failed');
    }
  });

  test('that was killed leaves no PostgreSQL; the next one completes what it had begun', async () => {
    const cut = spawnLocalStart({ DATA_DIR: dataDir, PORT: port });
    starts.push(cut);
    await expect
      .poll(
        () =>
          fetch(`http://localhost:${port}/health/live`).then(
            ({ status }) => status,
            () => 0,
          ),
        arrival,
      )
      .toBe(200);
    const postgres = (await postgresOn(dataDir)) ?? 0;
    expect(isRunning(postgres)).toBe(true);
    cut.child.kill('SIGKILL');
    await cut.ended;
    await expect.poll(() => isRunning(postgres), arrival).toBe(false);

    const next = await start();
    const gloria = await login(next, demoGlobal.email);
    expect((await gloria.users.list.query({})).total).toBe(1 + demoPeople.length);
    const beto = await login(next, 'beto@example.com');
    expect((await beto.me.tenants.query()).data).toHaveLength(2);
    await stop(next);
  });
});

describe('says in one line', { timeout: 120_000 }, () => {
  test('that its port is in use, and leaves nothing behind', async () => {
    const other = createServer().listen(Number(port), '0.0.0.0');
    await once(other, 'listening');
    expect(await refused()).toEqual({
      code: 1,
      errors: `Port ${port} is in use: end what listens there, or choose another one with PORT\n`,
    });
    expect(await readdir(dataDir)).toEqual([]);
    other.close();
  });

  test.each(['http', '65535'])('that %s is no port', async (wrong) => {
    const errors = 'PORT must be from 1 to 65534: the identity provider takes the one after it\n';
    expect(await refused({ PORT: wrong })).toEqual({ code: 1, errors });
  });

  test('that its data are in use, and leaves their user alone', async () => {
    const started = await start();
    const errors = `Another start is using the data in ${dataDir}: end that one, or choose another folder with DATA_DIR\n`;
    expect(await refused({ PORT: String(await freePort()) })).toEqual({ code: 1, errors });
    const gloria = await login(started, demoGlobal.email);
    expect((await gloria.users.list.query({})).total).toBe(1 + demoPeople.length);

    await stop(started);
  });
});

describe('with DATABASE_URL', { timeout: 120_000 }, () => {
  test('the demo world is in that database, and none is embedded', async () => {
    const started = await start({ DATABASE_URL: await createTestDatabase() });
    expect((await readdir(dataDir)).toSorted()).toEqual(['files', 'identity']);
    const gloria = await login(started, demoGlobal.email);
    expect((await gloria.users.list.query({})).total).toBe(1 + demoPeople.length);
    await stop(started);
  });

  test('and DATABASE_CA_FILE every connection to it is verified', async () => {
    const behindTls = await startTlsFront(await createTestDatabase());
    const started = await start({ DATABASE_URL: behindTls.url, DATABASE_CA_FILE: behindTls.caFile });
    expect((await (await login(started, demoGlobal.email)).cities.list.query({})).total).toBe(5571);
    await stop(started);
    await behindTls.stop();
  });

  test('a demo world from before there were organizations gets them, one whose organizations were deleted does not', async () => {
    const settings = { DATABASE_URL: await createTestDatabase() };
    const organizations = async (started: LocalStart) => (await login(started, demoGlobal.email)).organizations.list.query();
    const first = await start(settings);
    await query(settings.DATABASE_URL, 'truncate organizations cascade');
    await stop(first);

    const second = await start(settings);
    expect((await organizations(second)).total).toBe(demoOrganizations.length);
    await query(settings.DATABASE_URL, 'update organizations set deleted_at = now()');
    await stop(second);

    const third = await start(settings);
    expect((await organizations(third)).total).toBe(0);
    await stop(third);
  });
});

describe('scripts/bootstrap.mjs', () => {
  const bootstrap = fileURLToPath(new URL('../../../../scripts/bootstrap.mjs', import.meta.url));

  test.each([[[]], [['begin']], [['constructor']], [['--help']]])('tells %j how it is used', async (args) => {
    const usage =
      'usage: node scripts/bootstrap.mjs start|test|test:storage|test:isolation|test:fuzz|test:mutants|nightly|ci [argument…]\n';
    await expect(run(process.execPath, [bootstrap, ...args])).rejects.toMatchObject({ code: 2, stdout: '', stderr: usage });
  });
});
