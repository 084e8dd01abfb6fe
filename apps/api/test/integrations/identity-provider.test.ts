import KcAdminClient from '@keycloak/keycloak-admin-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import type { User, UserPage } from '../support/records.ts';
import { profileClient, startWorld, type World } from '../support/world.ts';

let world: World;
let admin: KcAdminClient;
beforeAll(async () => {
  world = await startWorld();
  admin = new KcAdminClient({ baseUrl: world.identity.url, realmName: world.identity.realm });
  const { clientId, secret: clientSecret } = profileClient;
  await admin.auth({ grantType: 'client_credentials', clientId, clientSecret });
});
afterAll(() => world.stop());
afterEach(() => Object.assign(world.identity.faults, { all: 'none', admin: 'none', token: 'none', mail: 'none' }));

const create = (fields: Record<string, unknown> = {}, api: Pick<World, 'call'> = world) =>
  api.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields });
const remove = (id: string) => world.call(world.global, `DELETE /api/users/${id}`);
const identityOf = (email: string) => world.identity.users().find((person) => person.email === email);
const mailsTo = (email: string) => world.identity.mails.filter(({ to }) => to === email);
const isStored = async (email: string) =>
  (await world.call<UserPage>(world.global, `GET /api/users?email=${encodeURIComponent(email)}`)).body.total > 0;

describe('a person whom the provider does not know', () => {
  test('gets an identity that is enabled, has the e-mail as username and owes both actions, and a mail about them', async () => {
    const { email } = world.newPerson();
    const { body } = await create({ email, name: 'Ana Maria  de Souza' });
    const requiredActions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];
    const identity = { id: body.idIdentity, username: email, enabled: true, emailVerified: false, requiredActions };
    expect(identityOf(email)).toMatchObject({ ...identity, firstName: 'Ana', lastName: 'Maria  de Souza' });
    await expect.poll(() => mailsTo(email)).toMatchObject([{ actions: requiredActions }]);
  });

  test('with a name of one word has it as first and as last name', async () => {
    const { email } = world.newPerson();
    await create({ email, name: ' Ana ' });
    expect(identityOf(email)).toMatchObject({ firstName: 'Ana', lastName: 'Ana' });
  });
});

describe('a person whom the provider knows', () => {
  const existing = async (requiredActions: string[] = []) => {
    const { email } = world.newPerson();
    const { id } = await admin.users.create({ username: email, email, enabled: true, firstName: 'Old', lastName: 'Name', requiredActions });
    return { email, id };
  };

  test('keeps that identity as it is, and gets no mail', async () => {
    const { email, id } = await existing();
    const before = identityOf(email);
    const { status, body } = await create({ email: email.toUpperCase() });
    expect(status).toBe(201);
    expect(body).toMatchObject({ idIdentity: id, email });
    expect(identityOf(email)).toEqual(before);
    const owed = await world.sql("select 1 from pgboss.job where name = 'password-mail' and data ->> 'userId' = $1", [body.id]);
    expect([owed, mailsTo(email)]).toEqual([[], []]);
  });

  test('gets the mail where no password was ever set: whoever made the identity may have died before', async () => {
    const { email } = await existing(['UPDATE_PASSWORD', 'VERIFY_EMAIL']);
    await create({ email });
    await expect.poll(() => mailsTo(email)).toHaveLength(1);
  });

  test('409 IDENTITY_ALREADY_LINKED where another user has the identity by now, and nothing is stored', async () => {
    const { body: holder } = await create();
    await world.call(world.global, `PUT /api/users/${holder.id}`, { email: world.newPerson().email });
    expect((await create({ email: holder.email })).code).toBe('IDENTITY_ALREADY_LINKED');
    expect(await isStored(holder.email)).toBe(false);
  });

  test('deleted here stays there, and created again gets the identity back', async () => {
    const person = await world.person();
    const before = identityOf(person.email);
    await remove(person.id);
    expect(identityOf(person.email)).toEqual(before);
    const { status, body } = await create({ email: person.email, federalTaxId: person.federalTaxId });
    expect(status).toBe(201);
    expect(body.idIdentity).toBe(person.subject);
    expect(await world.call(person, 'GET /api/me/permissions')).toMatchObject({ status: 200, body: { userId: body.id } });
  });
});

test('a crash between the identity and the local user heals with the next try', async () => {
  const person = world.newPerson();
  // The database takes no user: 57014 is what a cancelled statement says.
  await world.sql(`create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '57014'; end $$`);
  await world.sql('create trigger refuse before insert on users for each row execute function refuse()');
  expect((await create(person)).code).toBe('SERVICE_UNAVAILABLE');
  await world.sql('drop trigger refuse on users');
  expect([await isStored(person.email), mailsTo(person.email)]).toEqual([false, []]);
  const left = identityOf(person.email);
  const { status, body } = await create(person);
  expect(status).toBe(201);
  expect(body.idIdentity).toBe(left?.id);
  await expect.poll(() => mailsTo(person.email)).toHaveLength(1);
});

describe('data that the provider refuses', () => {
  test.each([
    [['name'], { name: 'Ana <Souza>' }],
    [['name'], { name: '<Ana> Souza' }],
    [['name'], { name: '<Ana>' }],
    [['name'], { name: '<Ana> <Souza>' }],
  ])('400 VALIDATION_FAILED that names %o: %o; nothing is stored', async (paths, fields) => {
    const person = { ...world.newPerson(), ...fields };
    const { status, body } = await create(person);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: paths.map((path) => ({ path })) });
    expect([identityOf(person.email), await isStored(person.email)]).toEqual([undefined, false]);
  });

  test('are refused of an application’s person too', async () => {
    const { service } = await world.tenant();
    const { body } = await world.call(service, 'POST /service/users', { ...world.newPerson(), persona: 'viewer', name: 'Ana?' });
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'name' }] });
  });
});

describe('a provider that is away', () => {
  const expectUnavailable = async (api: Pick<World, 'call'> = world) => {
    const person = world.newPerson();
    const { status, code, headers } = await create(person, api);
    expect([status, code]).toEqual([503, 'IDENTITY_PROVIDER_UNAVAILABLE']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await isStored(person.email)).toBe(false);
    return person;
  };

  test.each(['refuse', '500', 'hang'] as const)(
    '503 with Retry-After when its admin API does this: %s; afterwards the same goes through',
    async (mode) => {
      world.identity.faults.admin = mode;
      const person = await expectUnavailable();
      world.identity.faults.admin = 'none';
      expect((await create(person)).status).toBe(201);
    },
  );

  test.each(['refuse', '500', 'hang'] as const)('503 when it gives this service no token: %s', async (mode) => {
    // From before its start: it may owe a mail, and would get a token for that.
    world.identity.faults.token = mode;
    const api = createApi((await world.another()).url);
    const person = await expectUnavailable(api);
    world.identity.faults.token = 'none';
    // What it had asked for when the provider hung may still be waited for.
    await expect.poll(async () => (await create(person, api)).status).toBe(201);
  });

  test('a connection that breaks once is tried again', async () => {
    world.identity.faults.admin = 'refuse';
    setTimeout(() => (world.identity.faults.admin = 'none'), 50);
    expect((await create()).status).toBe(201);
  });

  test('is not asked for what is refused anyway', async () => {
    const { body: known } = await create();
    world.identity.faults.admin = 'refuse';
    expect((await create({ email: known.email })).code).toBe('USER_ALREADY_EXISTS');
  });
});

describe('a service without rights at the provider', () => {
  test.each([
    ['a wrong secret', { IDENTITY_CLIENT_SECRET: 'wrong' }],
    ['a client without view-users and manage-users', { IDENTITY_CLIENT_ID: 'harvest', IDENTITY_CLIENT_SECRET: 'test-harvest-secret' }],
  ])('503 with %s', async (_, settings) => {
    const api = createApi((await world.another(settings)).url);
    const person = world.newPerson();
    expect((await create(person, api)).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect([identityOf(person.email), await isStored(person.email)]).toEqual([undefined, false]);
  });

  test('whose admin token has become worthless gets a new one', async () => {
    await create();
    await world.identity.rotateKey();
    await world.identity.removeOldKeys();
    // The Global user's token was verified before, so the request itself is as good as ever.
    expect((await create()).status).toBe(201);
  });
});
