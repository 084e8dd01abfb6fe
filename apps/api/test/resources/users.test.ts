import { errors } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { countWaiting, raceAgainst } from '../support/race.ts';
import type { MembershipList, User, UserPage } from '../support/records.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

/** crud.test.ts tests what all resources have in common, lists.test.ts the filters, identity-provider.test.ts the calls of the identity provider. */
const world = useWorld();
const tenant = useTenant(world);

const call = <Body = User>(target: string, body?: unknown) => world.call<Body>(world.global, target, body);
const create = (fields: object = {}) => call('POST /api/users', { ...world.newPerson(), ...fields });
const update = (id: string, body: unknown) => call(`PUT /api/users/${id}`, body);
const identityOf = (email: string) => world.identity.users().find((identity) => identity.email === email);
const countUsers = async () => (await call<UserPage>('GET /api/users?limit=1')).body.total;
/** Runs the work while the admin API of the identity provider refuses every connection. */
const withoutProvider = async <T>(work: () => Promise<T>): Promise<T> => {
  world.identity.faults.admin = 'refuse';
  return work().finally(() => (world.identity.faults.admin = 'none'));
};

// Rules: USERS-4, USERS-11
test('POST /api/users ignores id and idIdentity, and rejects a known tax id without creating an identity', async () => {
  const { body: known } = await create({ idIdentity: absentId, id: absentId });
  expect([known.id, known.idIdentity]).not.toContain(absentId);
  const { email } = world.newPerson();
  expect((await create({ email, federalTaxId: known.federalTaxId })).code).toBe('USER_ALREADY_EXISTS');
  expect(identityOf(email)).toBeUndefined();
});

// Rules: ACCESS-16, IDENTITY-8, USERS-20, USERS-21
test('PUT /api/users/{id} changes an e-mail, unless another user has it in any case, and promotes to Global, without the identity provider', async () => {
  const [person, other] = [await world.person(), await world.person()];
  const { email } = world.newPerson();
  expect((await world.call(person, 'GET /api/users')).code).toBe('ACTIVE_TENANT_REQUIRED');
  const { status } = await withoutProvider(() => update(person.id, { email, type: 'Global' }));
  expect([status, (await world.call(person, 'GET /api/users')).status]).toEqual([200, 200]);
  expect(identityOf(person.email)).toBeDefined();
  expect((await update(person.id, { email: other.email.toUpperCase() })).code).toBe('USER_ALREADY_EXISTS');
  expect((await update(person.id, { email: email.toUpperCase() })).body.email).toBe(email);
});

// Rules: RECORDS-5, USERS-22
test('DELETE /api/users/{id} keeps the row and rejects the token, and every endpoint answers as for an unknown user', async () => {
  const person = await world.person({ [tenant.id]: 'viewer' });
  expect((await world.call(person, 'GET /api/me/tenants')).status).toBe(200);
  expect((await call(`DELETE /api/users/${person.id}`)).status).toBe(204);
  expect((await world.call(person, 'GET /api/me/tenants')).code).toBe('USER_NOT_PROVISIONED');
  expect(JSON.stringify((await call(`GET /api/tenants/${tenant.id}/users`)).body)).not.toContain(person.id);
  expect(await world.sql('select 1 from users where id = $1 and deleted_at is not null', [person.id])).toHaveLength(1);
  const [membership, body] = [`/tenants/${tenant.id}`, { tenantId: tenant.id, persona: 'viewer', scope: 'ALL' }];
  const ofMembership = [`DELETE ${membership}`, `GET ${membership}/organizations`, `PUT ${membership}/organizations`];
  for (const target of ['GET ', 'PUT ', 'DELETE ', 'GET /tenants', 'POST /tenants', ...ofMembership]) {
    const answer = await call(target.replace(' ', ` /api/users/${person.id}`), target.startsWith('P') ? body : undefined);
    expect(answer.code, target).toBe('USER_NOT_FOUND');
  }
});

describe('POST /service/users', () => {
  const newBody = () => ({ ...world.newPerson(), persona: 'technician' });
  const provision = (body: unknown, { service }: Tenant = tenant) => world.call<User>(service, 'POST /service/users', body);
  const linksOf = async (userId: string) =>
    (await call<MembershipList>(`GET /api/users/${userId}/tenants`)).body.data.map(({ id, persona }) => [id, persona]);
  const mailsTo = (email: string) => expect.poll(() => world.identity.mails.filter(({ to }) => to === email));

  // Rules: USERS-25, USERS-27, USERS-31
  test("creates an unknown person with an identity, or nothing, and links them to the token's tenant, whatever tenant the body names", async () => {
    const { persona, ...person } = { ...newBody(), type: 'Cooperative', jobTitle: 'Grower' };
    const other = await world.tenant();
    const { status, body } = await provision({ ...person, persona, tenantId: other.id, customerId: other.customerId });
    const made = { id: expect.any(String), idIdentity: identityOf(person.email)?.id, customerId: null };
    const times = { createdAt: expect.any(String), updatedAt: body.createdAt };
    expect({ status, body }).toEqual({ status: 201, body: { ...person, ...made, ...times } });
    expect(await linksOf(body.id)).toEqual([[tenant.id, 'technician']]);
    await mailsTo(person.email).toHaveLength(1);
    const before = await countUsers();
    expect((await withoutProvider(() => provision(newBody()))).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect(await countUsers()).toBe(before);
  });

  // Rules: USERS-28, USERS-29
  test('returns the stored user with this tax id and e-mail without the identity provider, and updates the persona', async () => {
    const person = newBody();
    const { body: first } = await provision(person);
    const other = { ...person, name: 'Other Name', type: 'Admin', jobTitle: 'Other', email: ` ${person.email.toUpperCase()}` };
    for (const persona of ['technician', 'tenant-admin', 'coordinator', 'viewer']) {
      const { status, body } = await withoutProvider(() => provision({ ...other, persona }));
      expect({ status, body }).toEqual({ status: 201, body: first });
      expect(await linksOf(first.id)).toEqual([[tenant.id, persona]]);
    }
  });

  // Rules: USERS-30
  test('answers USER_DATA_MISMATCH for a tax id and an e-mail of different users, and changes nothing', async () => {
    const [one, other] = [await world.person(), await world.person()];
    const { email, federalTaxId } = world.newPerson();
    const before = await countUsers();
    for (const data of [
      { email: one.email, federalTaxId },
      { email, federalTaxId: one.federalTaxId },
      { email: one.email, federalTaxId: other.federalTaxId },
    ]) {
      // The detail does not say which of them is known.
      const detail = errors.USER_DATA_MISMATCH.when;
      expect((await provision({ ...newBody(), ...data })).body).toMatchObject({ code: 'USER_DATA_MISMATCH', detail });
    }
    expect(await countUsers()).toBe(before);
    expect([await linksOf(one.id), await linksOf(other.id)]).toEqual([[], []]);
    expect(identityOf(email)).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 5])('creates one user and sends one mail for the same person at the same time, round %i', async () => {
    const [other, person] = [await world.tenant(), newBody()];
    const theirs = { ...person, persona: 'viewer' };
    const answers = await Promise.all([provision(person), provision(person), provision(person), provision(theirs, other)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const [id = '', ...others] = new Set(answers.map(({ body }) => body.id));
    expect(others).toEqual([]);
    expect(world.identity.users().filter(({ email }) => email === person.email)).toHaveLength(1);
    expect(await linksOf(id)).toEqual([
      [other.id, 'viewer'],
      [tenant.id, 'technician'],
    ]);
    await mailsTo(person.email).toHaveLength(1);
  });

  test('creates one of two persons with the same tax id at the same time and rejects the other', async () => {
    const { federalTaxId } = world.newPerson();
    const answers = await Promise.all([1, 2].map(() => provision({ ...newBody(), federalTaxId })));
    expect(answers.map(outcome).toSorted()).toEqual([201, 'USER_DATA_MISMATCH']);
  });

  test('answers CLIENT_NOT_LINKED for a new and for a known person while the tenant is deleted', async () => {
    const known = newBody();
    await provision(known);
    for (const person of [newBody(), known]) {
      const gone = await world.tenant();
      const answer = await raceAgainst(world, ['delete from tenants where id = $1', [gone.id]], () => provision(person, gone));
      expect(answer.code).toBe('CLIENT_NOT_LINKED');
    }
  });

  describe('while the user is deleted or changed', () => {
    /** A user, and the response to three equal requests that wait for this change of them. */
    const race = async (by: Tenant, set: string) => {
      const person = newBody();
      const { body: user } = await provision(person);
      // Locks the user as the service does before it deletes or changes one.
      const text = `with locked as (select id from users where id = $1 for update) update users set ${set} from locked where users.id = locked.id`;
      const requests = () => Promise.all([1, 2, 3].map(() => provision(person, by)));
      const answers = await raceAgainst(world, [text, [user.id]], requests, () => expect.poll(() => countWaiting(world)).toBe(3));
      expect(new Set(answers.map((answer) => `${outcome(answer)} ${answer.body.id}`)).size).toBe(1);
      return { user, ...answers[0]! };
    };

    // Rules: USERS-32
    test('creates the user again and gives the deleted one no membership', async () => {
      const other = await world.tenant();
      const { user, status, body: again } = await race(other, 'deleted_at = now()');
      expect([status, again.idIdentity, again.id === user.id]).toEqual([201, user.idIdentity, false]);
      const memberships = 'select tenant_id as "tenantId" from memberships where user_id = $1';
      expect(await world.sql(memberships, [user.id])).toEqual([{ tenantId: tenant.id }]);
      expect(await world.sql(memberships, [again.id])).toEqual([{ tenantId: other.id }]);
    });

    // Rules: USERS-32
    test('returns the new name, and answers USER_DATA_MISMATCH if the e-mail address is another one', async () => {
      expect(await race(tenant, "name = 'Renamed'")).toMatchObject({ status: 201, body: { name: 'Renamed' } });
      const { user, code } = await race(await world.tenant(), `email = '${world.newPerson().email}'`);
      expect([code, await linksOf(user.id)]).toEqual(['USER_DATA_MISMATCH', [[tenant.id, 'technician']]]);
    });
  });
});
