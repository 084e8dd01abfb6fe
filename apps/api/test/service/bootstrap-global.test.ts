import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { startEmbeddedServices } from '../../local/embedded.ts';
import { serve } from '../../local/serve.ts';
import { createApi } from '../support/api.ts';
import type { Person } from '../support/people.ts';
import { recordLog } from '../support/recorded-log.ts';
import type { UserPage } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

/** `startWorld` creates the first Global user, first@example.com. */
const world = useWorld();
afterEach(() => (world.identity.faults.admin = 'none'));

const settingsOf = ({ email, name, federalTaxId }: Pick<Person, 'email' | 'federalTaxId'> & { name: string }) => ({
  BOOTSTRAP_GLOBAL_EMAIL: email,
  BOOTSTRAP_GLOBAL_NAME: name,
  BOOTSTRAP_GLOBAL_TAX_ID: federalTaxId,
});
const liveGlobals = async () =>
  (await world.sql<{ email: string }>("select email from users where type = 'Global' and deleted_at is null")).map(({ email }) => email);
const identityOf = (email: string) => world.identity.users().find((person) => person.email === email);

// Rules: BOOTSTRAP-2
test('the first start creates a Global user, who prevents another user and identity', async () => {
  const { body } = await world.call<UserPage>(world.global, 'GET /api/users?type=Global');
  const fields = { name: 'First Global', email: 'first@example.com', federalTaxId: '52998224725', jobTitle: null, customerId: null };
  expect(body.data).toMatchObject([{ ...fields, idIdentity: identityOf('first@example.com')?.id }]);
  const other = world.newPerson();
  await world.another(settingsOf(other));
  expect(await liveGlobals()).toEqual(['first@example.com']);
  expect(identityOf(other.email)).toBeUndefined();
});

describe('a start without a Global user', () => {
  beforeEach(() => world.sql("update users set deleted_at = now() where type = 'Global' and deleted_at is null"));

  // Rules: BOOTSTRAP-1
  test('creates one with identity and mail, also if several instances start at the same time', async () => {
    const person = world.newPerson();
    const settings = settingsOf({ ...person, email: ` ${person.email.toUpperCase()}` });
    const instances = await Promise.all([1, 2, 3].map(() => world.another(settings)));
    expect(await liveGlobals()).toEqual([person.email]);
    const identity = identityOf(person.email);
    expect(identity).toMatchObject({ enabled: true, firstName: 'Person', requiredActions: ['UPDATE_PASSWORD', 'VERIFY_EMAIL'] });
    await expect.poll(() => world.identity.mails.filter(({ to }) => to === person.email)).toHaveLength(1);
    const token = await world.tokenOf({ sub: identity?.id ?? '' });
    for (const { call } of instances) expect((await call({ token }, 'GET /api/users')).status).toBe(200);
  });

  test('creates none without the settings, and does not change an existing user with the e-mail', async () => {
    await world.another({ BOOTSTRAP_GLOBAL_EMAIL: '', BOOTSTRAP_GLOBAL_NAME: '', BOOTSTRAP_GLOBAL_TAX_ID: '' });
    const { email, federalTaxId } = world.newPerson();
    const values = "gen_random_uuid(), 'somebody', 'Ana', $1, $2, 'Admin'";
    await world.sql(`insert into users (id, id_identity, name, email, federal_tax_id, type) values (${values})`, [email, federalTaxId]);
    const { url } = await world.another(settingsOf({ ...world.newPerson(), email }));
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(await liveGlobals()).toEqual([]);
  });

  test('retries while the identity provider is not reachable, until the service stops, and logs the reason once', async () => {
    const person = world.newPerson();
    world.identity.faults.admin = 'refuse';
    // The retry comes after 10 s.
    const realTimeout = globalThis.setTimeout;
    const timeouts = vi.spyOn(globalThis, 'setTimeout');
    timeouts.mockImplementation(((work: () => void, ms?: number, ...args: []) =>
      realTimeout(work, ms === 10_000 ? 100 : ms, ...args)) as typeof setTimeout);
    onTestFinished(() => timeouts.mockRestore());
    const [stoppedLog, log] = [recordLog('warn'), recordLog('warn')];
    const stopped = await world.another(settingsOf(world.newPerson()), stoppedLog);
    await stopped.stop();
    const linesAtStop = stoppedLog.lines().length;
    const attempts = () => timeouts.mock.calls.filter(([, ms]) => ms === 10_000).length;
    const attemptsBefore = attempts();
    const { url } = await world.another(settingsOf(person), log);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await expect.poll(attempts).toBeGreaterThan(attemptsBefore + 2);
    const told = log.lines().filter(({ msg }) => msg.includes('the first Global user cannot be created yet'));
    expect(told).toMatchObject([{ reason: 'TypeError: fetch failed' }]);
    expect(await liveGlobals()).toEqual([]);
    world.identity.faults.admin = 'none';
    await expect.poll(liveGlobals).toEqual([person.email]);
    expect(stoppedLog.lines()).toHaveLength(linesAtStop);
  });
});

// Rules: SETTINGS-4
test('npm start with IDENTITY_REALM_URL creates the first Global user and no demo data', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'profile-local-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const embedded = await startEmbeddedServices({ ...world.environment, DATABASE_URL: await createTestDatabase() }, dataDir, 0);
  onTestFinished(() => embedded.stop());
  let url = '';
  await serve(embedded, (service) => {
    url = service.url;
    onTestFinished(() => service.stop());
  });
  const { users, tenants } = createApi(url).client(world.global);
  expect((await users.list.query()).data).toMatchObject([{ email: world.environment['BOOTSTRAP_GLOBAL_EMAIL'] }]);
  expect((await tenants.list.query()).total).toBe(0);
  expect(await readdir(dataDir)).toEqual([]);
});
