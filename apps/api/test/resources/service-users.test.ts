import { describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { MembershipList, User, UserPage } from '../support/records.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);

const newBody = () => ({ ...world.newPerson(), persona: 'technician' });
const provision = (body: unknown, { service }: Tenant = tenant) => world.call<User>(service, 'POST /service/users', body);
const linksOf = async (userId: string) =>
  (await world.call<MembershipList>(world.global, `GET /api/users/${userId}/tenants`)).body.data.map(({ id, persona }) => [id, persona]);
const countUsers = async () => (await world.call<UserPage>(world.global, 'GET /api/users?limit=1')).body.total;
/** Runs the work while the admin API of the identity provider refuses every connection. */
const withoutProvider = async <T>(work: () => Promise<T>): Promise<T> => {
  world.identity.faults.admin = 'refuse';
  return work().finally(() => (world.identity.faults.admin = 'none'));
};

describe('POST /service/users for an unknown person', () => {
  // Rules: USERS-27
  test("creates the user with an identity and links it to the token's tenant", async () => {
    const { persona, ...person } = { ...newBody(), type: 'Cooperative', jobTitle: 'Grower' };
    const { status, body } = await provision({ ...person, persona });
    expect(status).toBe(201);
    const identity = world.identity.users().find(({ email }) => email === person.email);
    expect(identity).toMatchObject({ enabled: true, requiredActions: ['UPDATE_PASSWORD', 'VERIFY_EMAIL'] });
    expect(body).toEqual({
      id: expect.any(String),
      idIdentity: identity?.id,
      ...person,
      customerId: null,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    });
    expect(await linksOf(body.id)).toEqual([[tenant.id, 'technician']]);
    await expect.poll(() => world.identity.mails.filter(({ to }) => to === person.email)).toHaveLength(1);
  });

  // Rules: USERS-25
  test('ignores tenantId and customerId in the body', async () => {
    const other = await world.tenant();
    const { body } = await provision({ ...newBody(), tenantId: other.id, customerId: other.customerId });
    expect(await linksOf(body.id)).toEqual([[tenant.id, 'technician']]);
    expect(body.customerId).toBeNull();
  });

  // Rules: USERS-31
  test('stores nothing if the identity provider is unreachable, or if the identity belongs to a user with another e-mail', async () => {
    const { body: user } = await provision(newBody());
    await world.call(world.global, `PUT /api/users/${user.id}`, { email: world.newPerson().email });
    const before = await countUsers();
    expect((await withoutProvider(() => provision(newBody()))).code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    expect((await provision({ ...newBody(), email: user.email })).code).toBe('IDENTITY_ALREADY_LINKED');
    expect(await countUsers()).toBe(before);
  });
});

describe('POST /service/users for a user with this tax id and e-mail', () => {
  // Rules: USERS-28
  test('returns the stored user without calling the identity provider', async () => {
    const person = newBody();
    const { body: first } = await provision(person);
    const other = { ...person, name: 'Other Name', type: 'Admin', jobTitle: 'Other', email: ` ${person.email.toUpperCase()}` };
    const { status, body } = await withoutProvider(() => provision(other));
    expect({ status, body }).toEqual({ status: 201, body: first });
    expect(await linksOf(first.id)).toEqual([[tenant.id, 'technician']]);
  });

  // Rules: USERS-29
  test.each(['tenant-admin', 'coordinator', 'viewer'])('updates the persona of the link to %s', async (persona) => {
    const person = newBody();
    const { body: user } = await provision(person);
    await provision({ ...person, persona });
    expect(await linksOf(user.id)).toEqual([[tenant.id, persona]]);
  });
});

describe('POST /service/users with a tax id and an e-mail of different users', () => {
  // Rules: USERS-30
  test('answers USER_DATA_MISMATCH and changes nothing', async () => {
    const [one, other] = [await world.person(), await world.person()];
    const { email, federalTaxId } = world.newPerson();
    const before = await countUsers();
    for (const data of [
      { email: one.email, federalTaxId },
      { email, federalTaxId: one.federalTaxId },
      { email: one.email, federalTaxId: other.federalTaxId },
    ])
      expect((await provision({ ...newBody(), ...data })).code).toBe('USER_DATA_MISMATCH');
    expect(await countUsers()).toBe(before);
    expect([await linksOf(one.id), await linksOf(other.id)]).toEqual([[], []]);
    expect(world.identity.users().some((identity) => identity.email === email)).toBe(false);
  });
});

describe('POST /service/users at the same time', () => {
  const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));
  const rounds = [1, 2, 3, 4, 5];

  test.each(rounds)('returns one user for the same person and sends one mail, round %i', async () => {
    const person = newBody();
    const answers = await times(3, () => provision(person));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(world.identity.users().filter(({ email }) => email === person.email)).toHaveLength(1);
    await expect.poll(() => world.identity.mails.filter(({ to }) => to === person.email)).toHaveLength(1);
  });

  test.each(rounds)('returns one user with two links for two tenants, round %i', async () => {
    const [other, person] = [await world.tenant(), newBody()];
    const [mine, theirs] = await Promise.all([provision(person), provision({ ...person, persona: 'viewer' }, other)]);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.id).toBe(mine.body.id);
    expect(await linksOf(mine.body.id)).toEqual([
      [other.id, 'viewer'],
      [tenant.id, 'technician'],
    ]);
  });

  test('creates one of two persons with the same tax id and rejects the other', async () => {
    const { federalTaxId } = world.newPerson();
    const answers = await times(2, () => provision({ ...newBody(), federalTaxId }));
    expect(answers.map(outcome).toSorted()).toEqual([201, 'USER_DATA_MISMATCH']);
  });
});

describe('POST /service/users while the tenant is deleted', () => {
  test.each(['a new', 'a known'])('answers CLIENT_NOT_LINKED for %s person', async (kind) => {
    const [body, gone] = [newBody(), await world.tenant()];
    if (kind === 'a known') await provision(body);
    const answer = await raceAgainst(world, ['delete from tenants where id = $1', [gone.id]], () => provision(body, gone));
    expect(answer.code).toBe('CLIENT_NOT_LINKED');
  });
});

describe('POST /service/users while the user is deleted or changed', () => {
  /** Locks the user as the service does before it deletes or changes one. */
  const changeOf = (id: string, set: string): [string, unknown[]] => [
    `with locked as (select id from users where id = $1 for update) update users set ${set} from locked where users.id = locked.id`,
    [id],
  ];

  // Rules: USERS-32
  test('creates the user again and gives the deleted one no membership', async () => {
    const [person, other] = [newBody(), await world.tenant()];
    const { body: first } = await provision(person);
    const { status, body: again } = await raceAgainst(world, changeOf(first.id, 'deleted_at = now()'), () => provision(person, other));
    expect(status).toBe(201);
    expect(again.id).not.toBe(first.id);
    expect(again.idIdentity).toBe(first.idIdentity);
    const memberships = 'select tenant_id as "tenantId" from memberships where user_id = $1';
    expect(await world.sql(memberships, [first.id])).toEqual([{ tenantId: tenant.id }]);
    expect(await world.sql(memberships, [again.id])).toEqual([{ tenantId: other.id }]);
  });

  // Rules: USERS-32
  test('returns the new values of a user whose name changes', async () => {
    const person = newBody();
    const { body: user } = await provision(person);
    const { status, body } = await raceAgainst(world, changeOf(user.id, "name = 'Renamed'"), () => provision(person));
    expect({ status, name: body.name }).toEqual({ status: 201, name: 'Renamed' });
  });

  // Rules: USERS-32
  test('answers USER_DATA_MISMATCH if the user gets another e-mail address', async () => {
    const [person, other] = [newBody(), await world.tenant()];
    const { body: user } = await provision(person);
    const { email } = world.newPerson();
    const answer = await raceAgainst(world, changeOf(user.id, `email = '${email}'`), () => provision(person, other));
    expect(answer.code).toBe('USER_DATA_MISMATCH');
    expect(await linksOf(user.id)).toEqual([[tenant.id, 'technician']]);
  });
});
