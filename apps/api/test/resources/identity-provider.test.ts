import KcAdminClient from '@keycloak/keycloak-admin-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import type { User, UserPage } from '../support/records.ts';
import { profileClient, startWorld, type World } from '../support/world.ts';

const mailLink = { IDENTITY_MAIL_CLIENT_ID: 'web', IDENTITY_MAIL_REDIRECT_URL: 'http://localhost:5173/welcome' };
let world: World;
let admin: KcAdminClient;
beforeAll(async () => {
  world = await startWorld(mailLink);
  admin = new KcAdminClient({ baseUrl: world.identity.url, realmName: world.identity.realm });
  const { clientId, secret: clientSecret } = profileClient;
  await admin.auth({ grantType: 'client_credentials', clientId, clientSecret });
});
afterAll(() => world.stop());
afterEach(() => Object.assign(world.identity.faults, { all: 'none', admin: 'none', token: 'none', mail: 'none' }));

const create = (fields: Record<string, unknown> = {}, api: Pick<World, 'call'> = world) =>
  api.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields });
const expectMail = (email: string) => expect.poll(() => mailsTo(email)).toHaveLength(1);
const identityOf = (email: string) => world.identity.users().find((person) => person.email === email);
const mailsTo = (email: string) => world.identity.mails.filter(({ to }) => to === email);
const isStored = async (email: string) =>
  (await world.call<UserPage>(world.global, `GET /api/users?email=${encodeURIComponent(email)}`)).body.data.length > 0;

// Rules: IDENTITY-1, IDENTITY-9, USERS-9
test.each([
  ['Ana Maria  de Souza', 'Ana', 'Maria  de Souza'],
  [' Ana ', 'Ana', 'Ana'],
])(
  'POST /api/users for %j without identity creates one and sends a mail that ends at IDENTITY_MAIL_REDIRECT_URL',
  async (name, firstName, lastName) => {
    const { email, idIdentity: id } = (await create({ name })).body;
    const requiredActions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];
    const identity = { id, username: email, enabled: true, emailVerified: false, requiredActions, firstName, lastName };
    expect(identityOf(email)).toMatchObject(identity);
    await expect.poll(() => mailsTo(email)).toMatchObject([{ actions: requiredActions }]);
    const body = new URLSearchParams({ 'password-new': 'chosen', 'password-confirm': 'chosen' });
    const page = await fetch(mailsTo(email)[0]?.link ?? '', { method: 'POST', body });
    expect(await page.text()).toContain(`<a href="${mailLink.IDENTITY_MAIL_REDIRECT_URL}">Back to Application</a>`);
  },
);

describe('POST /api/users for a person with an identity', () => {
  const existing = async (requiredActions: string[] = []) => {
    const { email } = world.newPerson();
    const { id } = await admin.users.create({ username: email, email, enabled: true, firstName: 'Old', lastName: 'Name', requiredActions });
    return { email, id };
  };

  // Rules: USERS-8
  test('uses the identity unchanged and sends no mail, unless no password was ever set', async () => {
    const { email, id } = await existing();
    const before = identityOf(email);
    const { status, body } = await create({ email: email.toUpperCase() });
    expect({ status, body }).toMatchObject({ status: 201, body: { idIdentity: id, email } });
    expect(identityOf(email)).toEqual(before);
    const jobs = await world.sql("select 1 from pgboss.job where name = 'password-mail' and data ->> 'userId' = $1", [body.id]);
    expect([jobs, mailsTo(email)]).toEqual([[], []]);
    const unused = await existing(['UPDATE_PASSWORD', 'VERIFY_EMAIL']);
    await create({ email: unused.email });
    await expectMail(unused.email);
  });

  // Rules: IDENTITY-8, USERS-24
  test('uses the same identity again after the user was deleted', async () => {
    const person = await world.person();
    const before = identityOf(person.email);
    await world.call(world.global, `DELETE /api/users/${person.id}`);
    expect(identityOf(person.email)).toEqual(before);
    const { status, body } = await create({ email: person.email, federalTaxId: person.federalTaxId });
    expect([status, body.idIdentity]).toEqual([201, person.subject]);
    expect(await world.call(person, 'GET /api/me/permissions')).toMatchObject({ status: 200, body: { userId: body.id } });
  });
});

test('POST /api/users completes, on retry, a creation that failed between identity and user', async () => {
  const person = world.newPerson();
  // The database rejects users with 57014, as for a cancelled statement.
  await world.sql(`create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '57014'; end $$`);
  await world.sql('create trigger refuse before insert on users for each row execute function refuse()');
  expect((await create(person)).code).toBe('SERVICE_UNAVAILABLE');
  await world.sql('drop trigger refuse on users');
  expect([await isStored(person.email), mailsTo(person.email)]).toEqual([false, []]);
  const left = identityOf(person.email);
  const { status, body } = await create(person);
  expect([status, body.idIdentity]).toEqual([201, left?.id]);
  await expectMail(person.email);
});

// Rules: IDENTITY-3
test('a name that the identity provider rejects is rejected, and nothing is stored', async () => {
  for (const name of ['Ana <Souza>', '<Ana> Souza', '<Ana>', '<Ana> <Souza>']) {
    const person = { ...world.newPerson(), name };
    expect(await create(person)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'name' }] } });
    expect([identityOf(person.email), await isStored(person.email)]).toEqual([undefined, false]);
  }
});

// Rules: ERRORS-8, IDENTITY-4, USERS-14
test.each([
  ['admin', 'refuse'],
  ['admin', '500'],
  ['admin', 'hang'],
  ['token', 'hang'],
] as const)(
  'POST /api/users answers 503 with Retry-After while the identity provider fails, and succeeds afterwards (%s: %s)',
  async (part, mode) => {
    // Set before the start, because a pending mail would fetch a token.
    world.identity.faults[part] = mode;
    // A provider that does not respond ends in a timeout. The default is 5 seconds.
    const api = createApi((await world.another({ IDENTITY_TIMEOUT_SECONDS: '1' })).url);
    const person = world.newPerson();
    const { status, code, headers } = await create(person, api);
    expect([status, code]).toEqual([503, 'IDENTITY_PROVIDER_UNAVAILABLE']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await isStored(person.email)).toBe(false);
    world.identity.faults[part] = 'none';
    // A request to the hanging provider may still be pending.
    await expect.poll(async () => (await create(person, api)).status).toBe(201);
  },
);

// Rules: IDENTITY-2
test.each([
  ['a wrong secret', { IDENTITY_CLIENT_SECRET: 'wrong' }],
  ['a client without view-users and manage-users', { IDENTITY_CLIENT_ID: 'harvest', IDENTITY_CLIENT_SECRET: 'test-harvest-secret' }],
])('POST /api/users answers 503 with %s', async (_, settings) => {
  const api = createApi((await world.another(settings)).url);
  const person = world.newPerson();
  expect((await create(person, api)).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
  expect([identityOf(person.email), await isStored(person.email)]).toEqual([undefined, false]);
});

test('POST /api/users gets a new admin token if the old one is no longer valid', async () => {
  await create();
  await world.identity.rotateKey();
  await world.identity.removeOldKeys();
  // The Global user's token was verified before, so the request itself is valid.
  expect((await create()).status).toBe(201);
});
