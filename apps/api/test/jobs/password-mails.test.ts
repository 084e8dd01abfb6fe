import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { startProcess } from '../support/process.ts';
import type { User } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

/** The mail that a new person is owed (decisions, part 7). Time is moved in the database, never waited for. */
let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());
beforeEach(() => world.sql('update users set password_mail_owed_since = null, password_mail_next_try_at = null'));
afterEach(() => Object.assign(world.identity.faults, { admin: 'none', mail: 'none' }));

interface Debt {
  owed: boolean;
  attempts: number;
  /** Until the next try. */
  seconds: number | null;
}
const debtOf = async (id: string) => {
  const columns = `password_mail_owed_since is not null as owed, password_mail_attempts as attempts,
    extract(epoch from password_mail_next_try_at - now())::float as seconds`;
  return (await world.sql<Debt>(`select ${columns} from users where id = $1`, [id]))[0];
};
const expectAttempts = (id: string, attempts: number) => expect.poll(async () => (await debtOf(id))?.attempts).toBe(attempts);
const mailsTo = (email: string) => world.identity.mails.filter(({ to }) => to === email).length;
const expectMail = (email: string) => expect.poll(() => mailsTo(email)).toBe(1);

/** A person whose first mail has failed. */
const owed = async () => {
  world.identity.faults.mail = 'refuse';
  const person = await world.person();
  await runJob();
  return person;
};
/** As if the pause were over. */
const due = (...ids: string[]) =>
  world.sql("update users set password_mail_next_try_at = now() - interval '1 s' where id = any($1)", [ids]);
/** Lets the job run, by owing another mail; resolves when it comes to that one, done with all that were due before. */
const runJob = async () => expectAttempts((await world.person()).id, 1);

describe('a mail that fails', () => {
  // Rules: USERS-10
  test.each(['refuse', '500', 'hang'] as const)('leaves the user created and is owed: %s', async (mode) => {
    world.identity.faults.mail = mode;
    const person = world.newPerson();
    const { status, body } = await world.call<User>(world.global, 'POST /api/users', person);
    expect(status).toBe(201);
    await expectAttempts(body.id, 1);
    expect(await debtOf(body.id)).toMatchObject({ owed: true });
    expect(mailsTo(person.email)).toBe(0);
  });

  test('is sent once its pause is over, and not before', async () => {
    const person = await owed();
    world.identity.faults.mail = 'none';
    await runJob();
    expect(mailsTo(person.email)).toBe(0);
    await due(person.id);
    await runJob();
    await expectMail(person.email);
    await expect.poll(() => debtOf(person.id)).toEqual({ owed: false, attempts: 2, seconds: null });
  });

  test('stays owed while the whole provider is away', async () => {
    const [person, other] = [await owed(), await owed()];
    Object.assign(world.identity.faults, { mail: 'none', admin: 'refuse' });
    await due(person.id, other.id);
    const starting = await world.another();
    await Promise.all([expectAttempts(person.id, 2), expectAttempts(other.id, 2)]);
    expect(await debtOf(person.id)).toMatchObject({ owed: true });
    await starting.stop();
  });

  // Rules: IDENTITY-6
  test.each([
    [1, 60],
    [2, 120],
    [6, 1920],
    [7, 3600],
    [30, 3600],
  ])('pauses longer each time: after %i failures %i s', async (attempts, pause) => {
    const person = await owed();
    await world.sql('update users set password_mail_attempts = $2 where id = $1', [person.id, attempts]);
    await due(person.id);
    await runJob();
    await expectAttempts(person.id, attempts + 1);
    const { seconds } = (await debtOf(person.id)) ?? {};
    expect(seconds).toBeGreaterThan(pause - 25);
    expect(seconds).toBeLessThanOrEqual(pause);
  });

  // Rules: IDENTITY-7
  test('is given up after a day, and not before', async () => {
    const [young, old] = [await owed(), await owed()];
    const age = (id: string, hours: number) =>
      world.sql('update users set password_mail_owed_since = now() - make_interval(hours => $2) where id = $1', [id, hours]);
    await age(young.id, 23);
    await age(old.id, 25);
    await due(young.id, old.id);
    await runJob();
    await expect.poll(() => debtOf(old.id)).toEqual({ owed: false, attempts: 2, seconds: null });
    expect(await debtOf(young.id)).toMatchObject({ owed: true, attempts: 2 });
    world.identity.faults.mail = 'none';
    await due(young.id);
    await runJob();
    await expectMail(young.email);
    expect(mailsTo(old.email)).toBe(0);
  });
});

describe('a mail that is owed', () => {
  // Rules: IDENTITY-5
  test('is not lost when the service dies while it sends', async () => {
    world.identity.faults.mail = 'hang';
    const doomed = await startProcess(world.environment);
    const person = world.newPerson();
    const { status, body } = await createApi(doomed.url).call<User>(world.global, 'POST /api/users', person);
    expect(status).toBe(201);
    await expectAttempts(body.id, 1);
    await doomed.kill();
    expect(await debtOf(body.id)).toMatchObject({ owed: true });
    world.identity.faults.mail = 'none';
    await due(body.id);
    // Whoever starts next looks for what is owed.
    const starting = await world.another();
    await expectMail(person.email);
    await starting.stop();
  });

  test('is sent once, however many instances look for it', async () => {
    const people = [];
    for (let index = 0; index < 12; index += 1) people.push(await owed());
    world.identity.faults.mail = 'none';
    await due(...people.map(({ id }) => id));
    const instances = await Promise.all([world.another(), world.another()]);
    await Promise.all(people.map(({ email }) => expectMail(email)));
    // A stopped one has no mail in hand.
    await Promise.all(instances.map((instance) => instance.stop()));
    await runJob();
    expect(people.map(({ email }) => mailsTo(email))).toEqual(people.map(() => 1));
  });

  test('goes with the user', async () => {
    const person = await owed();
    await world.call(world.global, `DELETE /api/users/${person.id}`);
    expect(await debtOf(person.id)).toMatchObject({ owed: false, seconds: null });
    world.identity.faults.mail = 'none';
    await runJob();
    expect(mailsTo(person.email)).toBe(0);
  });

  test('is left to the next start by a service that stops: it ends with the mail in hand', async () => {
    const people = [await owed(), await owed(), await owed()];
    const ids = people.map(({ id }) => id);
    await world.service.stop();
    world.identity.faults.mail = 'hang';
    await due(...ids);
    const service = await world.another();
    const claimed = async () => (await Promise.all(ids.map(debtOf))).filter((debt) => debt?.attempts === 2).length;
    await expect.poll(claimed).toBe(1);
    await service.stop();
    expect(await claimed()).toBe(1);
  });
});
