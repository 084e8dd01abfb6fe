import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { freePortPair } from '../../../../test/free-port.ts';
import { inherited } from '../../../../test/inherited.ts';
import { localStart, type LocalStart, spawnLocalStart } from '../../../../test/local-start.ts';
import { Browser } from '../../../../test/page-browser.ts';
import { startEmbeddedServices } from '../../local/embedded.ts';
import { demoOrganizations } from '../../local/organizations.ts';
import { demoGlobal, demoPeople, describePerson } from '../../local/people.ts';
import { readPort } from '../../local/ports.ts';
import { describeError } from '../../local/start-error.ts';
import { isRunning, login, postgresOn } from '../support/local-start.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const run = promisify(execFile);
const bootstrap = fileURLToPath(new URL('../../../../scripts/bootstrap.mjs', import.meta.url));
const processEnd = { timeout: 30_000, interval: 50 };

let dataDir: string;
let port: string;
const starts: Pick<LocalStart, 'child' | 'ended'>[] = [];

async function prepare(): Promise<void> {
  dataDir = await mkdtemp(join(await fastFolder(), 'profile-local-'));
  port = String(await freePortPair());
}
async function cleanUp(): Promise<void> {
  for (const { child, ended } of starts.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  // PostgreSQL ends a moment after its parent and needs its folder until then.
  await vi.waitUntil(async () => (await postgresOn(dataDir)) === undefined, processEnd);
  await rm(dataDir, { recursive: true });
}

async function start(settings: Record<string, string> = {}): Promise<LocalStart> {
  const started = await localStart({ DATA_DIR: dataDir, PORT: port, ...settings });
  starts.push(started);
  return started;
}

describe('npm start', { timeout: 120_000 }, () => {
  let started: LocalStart;
  beforeAll(async () => {
    await prepare();
    started = await start();
  }, 120_000);
  afterAll(cleanUp);

  test('prints commands that work, and the logins of all demo users', async () => {
    const commands = started.banner.split('\n').filter((line) => /^ {4}(\w+=\$\(curl|curl) /.test(line));
    expect(commands).toHaveLength(4);
    const { stdout } = await run('bash', ['-c', commands.join('\n')]);
    expect(stdout.match(/"total":\d+/g)).toEqual(['"total":4', '"total":3']);

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

  test.each(['localhost:5173', '127.0.0.1'])('serves a frontend on %s, whose login page lists the demo users', async (host) => {
    const { headers } = await fetch(`http://localhost:${port}/openapi.json`, { headers: { origin: `http://${host}` } });
    expect(headers.get('access-control-allow-origin')).toBe(`http://${host}`);
    const { origin } = new URL(/http:\S+\/realms\/profile/.exec(started.banner)?.[0] ?? '');
    const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    const request = { client_id: 'web', redirect_uri: `http://${host}/callback`, response_type: 'code', scope: 'openid', ...pkce };
    const browser = new Browser(origin);
    const page = await browser.open(`${origin}/realms/profile/protocol/openid-connect/auth?${new URLSearchParams(request).toString()}`);
    for (const person of [demoGlobal, ...demoPeople]) {
      expect(page.text).toContain(person.email);
      expect(page.text).toContain(describePerson(person));
    }
    expect((await browser.submit(page, { 'demo-user': demoGlobal.email })).url).toMatch(`http://${host}/callback?code=`);
  });

  // Rules: GEOGRAPHY-5, SETTINGS-3
  test('has all states and cities, rejects a second start on the data, keeps changes after a kill, and stops on repeated signals', async () => {
    const error: unknown = await startEmbeddedServices({}, dataDir, await freePortPair()).catch((reason: unknown) => reason);
    expect(describeError(error, dataDir)).toBe(
      `Another npm start uses the data in ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
    const gloria = await login(started, demoGlobal.email);
    expect((await gloria.states.list.query({})).total).toBe(27);
    expect((await gloria.cities.list.query({})).total).toBe(5571);
    const { data: people } = await gloria.users.list.query({ limit: 100 });
    const idOf = (name: string) => people.find(({ email }) => email.startsWith(name))?.id ?? '';
    await gloria.users.remove.mutate({ id: idOf('vera') });
    await gloria.users.update.mutate({ id: idOf('tania'), email: 'tania.prado@example.com' });
    await gloria.states.update.mutate({ stateCode: 35, name: 'Sampa' });
    const made = await gloria.customers.create.mutate({ federalTaxId: '99888777000166', name: 'Cooperativa do Sul' });
    // A receiver on this machine is allowed, and the key of the secrets is kept.
    const hook = { url: `http://localhost:${port}/hook`, types: ['*' as const], idempotencyKey: 'hook' };
    const { secret } = await gloria.webhooks.create.mutate(hook);
    const killed = (await postgresOn(dataDir)) ?? 0;
    started.child.kill('SIGKILL');
    await expect.poll(() => isRunning(killed), processEnd).toBe(false);

    const second = await start();
    const later = await login(second, demoGlobal.email);
    const names = (await later.users.list.query({ limit: 100 })).data.map(({ email }) => email.split('@')[0]);
    expect(names.toSorted()).toEqual(['beto', 'carlos', 'gloria', 'tania.prado', 'teresa']);
    expect(await later.customers.get.query({ id: made.id })).toMatchObject({ name: 'Cooperativa do Sul' });
    expect((await later.webhooks.create.mutate(hook)).secret).toBe(secret);
    expect((await later.tenants.list.query({})).total).toBe(2);
    expect((await later.organizations.list.query({})).total).toBe(demoOrganizations.length);
    expect(await later.states.get.query({ stateCode: 35 })).toMatchObject({ name: 'Sampa' });
    expect(await (await login(second, 'teresa@example.com')).me.permissions.query()).toMatchObject({ persona: 'tenant-admin' });

    const postgres = (await postgresOn(dataDir)) ?? 0;
    expect(isRunning(postgres)).toBe(true);
    // One Ctrl-C causes several signals: from the terminal, from npm and from the bootstrap.
    const again = setInterval(() => second.child.kill('SIGINT'), 5);
    expect(await second.ended.finally(() => clearInterval(again))).toEqual({ code: 0, errors: '' });
    expect(isRunning(postgres)).toBe(false);
    for (const path of [`${port}/health/live`, `${Number(port) + 1}/mailbox`])
      await expect(fetch(`http://localhost:${path}`)).rejects.toThrow('fetch failed');
  });
});

describe('npm start with other settings', { timeout: 120_000 }, () => {
  beforeAll(prepare);
  afterAll(cleanUp);

  test.each<[what: string, offset: number, settings: object, error: string]>([
    ['the port is in use', 0, {}, 'Port PORT is in use. Stop the program that listens on it, or set PORT.'],
    ['the next port is in use', 1, {}, 'Port PORT is in use, but the identity provider needs it: it listens on the port after PORT.'],
    ['HOST is not an address of localhost', 0, { HOST: '192.0.2.1' }, 'HOST is 192.0.2.1: it must be 0.0.0.0, :: or 127.0.0.1, .*'],
  ])('prints one line and creates nothing if %s', async (_what, offset, settings, error) => {
    const usedPort = Number(port) + offset;
    const other = createServer().listen(usedPort);
    await once(other, 'listening');
    const failed = spawnLocalStart({ DATA_DIR: dataDir, PORT: port, ...settings });
    starts.push(failed);
    const errors = expect.stringMatching(`^${error.replace('PORT', String(usedPort))}\n$`) as string;
    expect(await failed.ended).toEqual({ code: 1, errors });
    expect(await readdir(dataDir)).toEqual([]);
    other.close();
  });

  test.each(['http', '0', '65535'])('rejects the port %s', async (wrong) => {
    await expect(readPort(wrong, '127.0.0.1')).rejects.toThrow(`PORT is ${wrong}: it must be a number from 1 to 65534.`);
  });

  // Rules: SETTINGS-3
  test('uses the database in DATABASE_URL and verifies all its connections with DATABASE_CA_FILE', async () => {
    const { url, caFile, stop } = await startTlsProxy(await createTestDatabase());
    const started = await start({ DATABASE_URL: url, DATABASE_CA_FILE: caFile });
    expect((await readdir(dataDir)).toSorted()).toEqual(['files', 'identity', 'webhook-encryption-key']);
    const gloria = await login(started, demoGlobal.email);
    expect((await gloria.users.list.query({})).total).toBe(1 + demoPeople.length);
    started.child.kill('SIGINT');
    expect(await started.ended).toEqual({ code: 0, errors: '' });
    await stop();
  });

  test('stops without an error while it migrates the database', async () => {
    const stopped = spawnLocalStart({ DATA_DIR: join(dataDir, 'new'), PORT: port });
    starts.push(stopped);
    for await (const text of stopped.child.stdout ?? []) if (/Migrating|Ctrl-C/.test(String(text))) stopped.child.kill('SIGINT');
    expect(await stopped.ended).toEqual({ code: 0, errors: '' });
  });

  test('stops if npm has ended during the installation', async () => {
    const env = { ...inherited, DATA_DIR: dataDir, PORT: port };
    const npm = spawn('sh', ['-c', `"$0" "$1" start & echo $!; wait`, process.execPath, bootstrap], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = (await once(npm.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    onTestFinished(() => void (isRunning(pid) && process.kill(pid)));
    // The first child is the installation.
    await vi.waitUntil(async () => (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')) !== '', processEnd);
    npm.kill();
    await expect.poll(() => isRunning(pid), processEnd).toBe(false);
  });
});

test('an error about a full disk names the folder', () => {
  const error = new Error('initdb: error: No space left on device');
  expect(describeError(error, '/data')).toBe('The disk of /data is full. The demo data need 100 MB.');
});

test.each([[[]], [['constructor']]])('scripts/bootstrap.mjs prints its usage for the arguments %j', async (args) => {
  const usage = expect.stringMatching(
    /^usage: node scripts\/bootstrap\.mjs start\|backup\|restore\|test\|[\w:|]+ \[argument…\]\n$/,
  ) as string;
  await expect(run(process.execPath, [bootstrap, ...args])).rejects.toMatchObject({ code: 2, stdout: '', stderr: usage });
});
