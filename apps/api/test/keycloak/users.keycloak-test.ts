import { describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { User, UserPage } from '../support/records.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { createIdentity } from './support/logins.ts';

const world = useKeycloakWorld();

const create = (fields: Record<string, unknown> = {}) =>
  world.call<User>(world.global, 'POST /api/users', { ...world.newPerson(), ...fields });
const identities = (email: string) => world.realm.admin.users.find({ email, exact: true });

describe('POST /api/users', () => {
  test('creates an enabled identity with both required actions', async () => {
    const { body } = await create({ name: 'Ana Maria de Souza' });
    const requiredActions = expect.toSatisfy(
      (actions: string[]) => actions.toSorted().join() === 'UPDATE_PASSWORD,VERIFY_EMAIL',
    ) as string[];
    const names = { firstName: 'Ana', lastName: 'Maria de Souza' };
    expect(await identities(body.email)).toMatchObject([
      { id: body.idIdentity, username: body.email, enabled: true, requiredActions, ...names },
    ]);
  });

  test('uses an existing identity, also for an e-mail in capital letters, leaves it disabled, and sends no mail', async () => {
    const { email, subject } = await createIdentity(world);
    await world.realm.admin.users.update({ id: subject }, { enabled: false });
    const { status, body } = await create({ email: email.toUpperCase() });
    expect([status, body.idIdentity, body.email]).toEqual([201, subject, email]);
    expect(await identities(email)).toMatchObject([{ id: subject, enabled: false }]);
    const { body: other } = await create();
    await expect.poll(() => world.realm.smtp.mailsTo(other.email)).toHaveLength(1);
    expect(await world.realm.smtp.mailsTo(email)).toEqual([]);
  });

  test('creates one user and one identity for 20 concurrent requests with one e-mail, and sends one mail', async () => {
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

  test.each(['Ana <Souza>', '<Ana> Souza', 'Ana\tSouza'])('rejects the name %j with 400 and stores nothing', async (name) => {
    const { email } = world.newPerson();
    const message = expect.stringMatching(/^The identity provider rejects the (first|last) name: it must not contain/) as string;
    const body = { code: 'VALIDATION_FAILED', errors: [{ path: 'name', message }] };
    expect(await create({ email, name })).toMatchObject({ status: 400, body });
    const stored = await world.call<UserPage>(world.global, `GET /api/users?email=${email}`);
    expect([await identities(email), stored.body.total]).toEqual([[], 0]);
  });

  test('uses the identity again after the user was deleted', async () => {
    const { body: first } = await create();
    await world.call(world.global, `DELETE /api/users/${first.id}`);
    const { status, body } = await create({ email: first.email });
    expect([status, body.idIdentity]).toEqual([201, first.idIdentity]);
    expect(await identities(first.email)).toHaveLength(1);
  });
});
