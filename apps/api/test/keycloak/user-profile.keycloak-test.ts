import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { UserPage } from '../support/records.ts';
import { type KeycloakWorld, useKeycloakWorld } from './support/keycloak-world.ts';

type Profile = Awaited<ReturnType<KeycloakWorld['realm']['admin']['users']['getProfile']>>;

const world = useKeycloakWorld();
let initial: Profile;
beforeAll(async () => void (initial = await world.realm.admin.users.getProfile()));
beforeEach(() => world.realm.admin.users.updateProfile(initial));

/** Adds validations of an attribute to the user profile of the realm. */
const validate = (attribute: string, validations: Record<string, Record<string, unknown>>) =>
  world.realm.admin.users.updateProfile({
    ...initial,
    attributes: (initial.attributes ?? []).map((one) =>
      one.name === attribute ? { ...one, validations: { ...one.validations, ...validations } } : one,
    ),
  });

const create = (email: string) => world.call(world.global, 'POST /api/users', { ...world.newPerson(), email });
const identities = (email: string) => world.realm.admin.users.find({ email, exact: true });
const stored = async (email: string) =>
  (await world.call<UserPage>(world.global, `GET /api/users?email=${encodeURIComponent(email)}`)).body.total;

test.each([
  ['an e-mail', 'email', { pattern: { pattern: '[^+]*' } }, 'email', 'e-mail address: it must match the pattern [^+]*'],
  ['a name', 'firstName', { length: { min: 20, max: 40 } }, 'name', 'first name: it must have 20 to 40 characters'],
])('POST /api/users rejects %s that the realm rejects with 400, names the limit, and stores nothing', async (...row) => {
  const [, attribute, validations, path, limit] = row;
  await validate(attribute, validations);
  const email = `x+${randomUUID()}@example.com`;
  const message = `The identity provider rejects the ${limit}`;
  expect(await create(email)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path, message }] } });
  expect([await identities(email), await stored(email)]).toEqual([[], 0]);
});

test('POST /api/users is 503 if the realm requires another attribute, and the log names it', async () => {
  const department = { name: 'department', required: { roles: ['admin'] }, permissions: { view: ['admin'], edit: ['admin'] } };
  await world.realm.admin.users.updateProfile({ ...initial, attributes: [...(initial.attributes ?? []), department] });
  const email = `${randomUUID()}@example.com`;
  expect(await create(email)).toMatchObject({ status: 503, body: { code: 'IDENTITY_PROVIDER_UNAVAILABLE' } });
  expect([await identities(email), await stored(email)]).toEqual([[], 0]);
  const reason = expect.stringContaining('does not send: department (error-user-attribute-required)') as string;
  expect(world.log).toContainEqual(expect.objectContaining({ msg: 'request', reason }));
});
