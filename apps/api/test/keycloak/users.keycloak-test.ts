import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { User, UserPage } from '../support/records.ts';
import { type KeycloakWorld, useKeycloakWorld } from './support/keycloak-world.ts';
import { createIdentity } from './support/logins.ts';

type Profile = Awaited<ReturnType<KeycloakWorld['realm']['admin']['users']['getProfile']>>;

const world = useKeycloakWorld();
let initial: Profile;
beforeAll(async () => void (initial = await world.realm.admin.users.getProfile()));
afterEach(() => world.realm.admin.users.updateProfile(initial));

const create = (fields: Record<string, unknown> = {}) =>
  world.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields });
const identities = (email: string) => world.realm.admin.users.find({ email, exact: true });
const stored = async (email: string) =>
  (await world.call<UserPage>(world.global, `GET /api/users?email=${encodeURIComponent(email)}`)).body.total;

test('POST /api/users creates an enabled identity with both required actions', async () => {
  const { body } = await create({ name: 'Ana Maria de Souza' });
  const requiredActions = expect.toSatisfy((actions: string[]) => actions.toSorted().join() === 'UPDATE_PASSWORD,VERIFY_EMAIL') as string[];
  const names = { firstName: 'Ana', lastName: 'Maria de Souza' };
  expect(await identities(body.email)).toMatchObject([
    { id: body.idIdentity, username: body.email, enabled: true, requiredActions, ...names },
  ]);
});

test('POST /api/users uses an existing identity, also for an e-mail in capital letters, leaves it disabled, and sends no mail', async () => {
  const { email, subject } = await createIdentity(world);
  await world.realm.admin.users.update({ id: subject }, { enabled: false });
  const { status, body } = await create({ email: email.toUpperCase() });
  expect([status, body.idIdentity, body.email]).toEqual([201, subject, email]);
  expect(await identities(email)).toMatchObject([{ id: subject, enabled: false }]);
  const { body: other } = await create();
  await expect.poll(() => world.realm.smtp.mailsTo(other.email)).toHaveLength(1);
  expect(await world.realm.smtp.mailsTo(email)).toEqual([]);
});

test('POST /api/users creates one user and one identity for 20 concurrent requests with one e-mail, and sends one mail', async () => {
  const { email } = world.newPerson();
  const responses = await Promise.all(Array.from({ length: 20 }, () => create({ email })));
  const outcomes = responses.map(outcome);
  expect(outcomes.filter((code) => code === 201)).toHaveLength(1);
  const conflicts = ['USER_ALREADY_EXISTS', 'IDENTITY_ALREADY_LINKED'];
  expect(outcomes.filter((code) => code !== 201 && !conflicts.includes(String(code)))).toEqual([]);
  expect(await identities(email)).toHaveLength(1);
  // Mails are sent in the order of their users, so a second mail would arrive before this one.
  const { body: later } = await create();
  await expect.poll(() => world.realm.smtp.mailsTo(later.email)).toHaveLength(1);
  expect(await world.realm.smtp.mailsTo(email)).toHaveLength(1);
});

/** Adds validations of an attribute to the user profile of the realm. */
const validate = (attribute: string, validations: Record<string, Record<string, unknown>>) =>
  world.realm.admin.users.updateProfile({
    ...initial,
    attributes: (initial.attributes ?? []).map((one) =>
      one.name === attribute ? { ...one, validations: { ...one.validations, ...validations } } : one,
    ),
  });

test.each([
  ['an e-mail', 'email', { pattern: { pattern: '[^+]*' } }, 'email', 'e-mail address: it must match the pattern [^+]*'],
  ['a name', 'firstName', { length: { min: 20, max: 40 } }, 'name', 'first name: it must have 20 to 40 characters'],
])('POST /api/users rejects %s that the realm rejects with 400, names the limit, and stores nothing', async (...row) => {
  const [, attribute, validations, path, limit] = row;
  await validate(attribute, validations);
  const email = `x+${randomUUID()}@example.com`;
  const message = `The identity provider rejects the ${limit}`;
  expect(await create({ email })).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path, message }] } });
  expect([await identities(email), await stored(email)]).toEqual([[], 0]);
});

test('POST /api/users is 503 if the realm requires another attribute, and the log names it', async () => {
  const department = { name: 'department', required: { roles: ['admin'] }, permissions: { view: ['admin'], edit: ['admin'] } };
  await world.realm.admin.users.updateProfile({ ...initial, attributes: [...(initial.attributes ?? []), department] });
  const email = `${randomUUID()}@example.com`;
  expect(await create({ email })).toMatchObject({ status: 503, body: { code: 'IDENTITY_PROVIDER_UNAVAILABLE' } });
  expect([await identities(email), await stored(email)]).toEqual([[], 0]);
  const reason = expect.stringContaining('does not send: department (error-user-attribute-required)') as string;
  expect(world.log).toContainEqual(expect.objectContaining({ msg: 'request', reason }));
});
