import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { startProcess } from '../support/process.ts';
import type { User } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

/** The mail that a new person is owed (decisions, part 7). Time is moved in the database, never waited for. */
let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());
beforeEach(() => world.sql("delete from pgboss.job where name = 'password-mail'"));
afterEach(() => Object.assign(world.identity.faults, { admin: 'none', mail: 'none' }));

interface MailJob {
  state: 'created' | 'retry' | 'active' | 'completed' | 'failed';
  retries: number;
  /** Until the next attempt. */
  seconds: number;
}
const jobOf = async (id: string) => {
  const columns = 'state, retry_count as retries, extract(epoch from start_after - now())::float as seconds';
  return (await world.sql<MailJob>(`select ${columns} from pgboss.job where data ->> 'userId' = $1`, [id]))[0];
};
const expectState = (id: string, state: MailJob['state']) => expect.poll(async () => (await jobOf(id))?.state).toBe(state);
const mailsTo = (email: string) => world.identity.mails.filter(({ to }) => to === email).length;
const expectMail = (email: string) => expect.poll(() => mailsTo(email)).toBe(1);

/** A person whose first mail has failed. */
const owed = async () => {
  world.identity.faults.mail = 'refuse';
  const person = await world.person();
  await expectState(person.id, 'retry');
  return person;
};
/** As if the pause were over. */
const due = (...ids: string[]) =>
  world.sql("update pgboss.job set start_after = now() - interval '1 s' where data ->> 'userId' = any($1)", [ids]);
/** As if the mail had failed this often. */
const failed = (id: string, times: number) =>
  world.sql("update pgboss.job set retry_count = $2 - 1 where data ->> 'userId' = $1", [id, times]);
/** Wakes the job with another mail; resolves when that was tried, and before it every mail that was due. */
const runJob = async () => {
  const { id } = await world.person();
  await expect.poll(async () => (await jobOf(id))?.state).toMatch(/^(completed|retry)$/);
};

describe('a mail that fails', () => {
  test.each(['refuse', '500', 'hang'] as const)('leaves the user created and is owed: %s', async (mode) => {
    world.identity.faults.mail = mode;
    const person = world.newPerson();
    const { status, body } = await world.call<User>(world.global, 'POST /api/users', person);
    expect(status).toBe(201);
    await expectState(body.id, 'retry');
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
    await expectState(person.id, 'completed');
  });

  test('stays owed while the whole provider is away', async () => {
    const [person, other] = [await owed(), await owed()];
    Object.assign(world.identity.faults, { mail: 'none', admin: 'refuse' });
    await due(person.id, other.id);
    const starting = await world.another();
    for (const { id } of [person, other]) await expect.poll(() => jobOf(id)).toMatchObject({ state: 'retry', retries: 1 });
    await starting.stop();
  });

  test.each([
    [1, 60, 120],
    [2, 120, 240],
    [6, 1920, 3600],
    [7, 3600, 3600],
    [28, 3600, 3600],
  ])('pauses longer each time: after %i failures %i s', async (retries, least, most) => {
    const person = await owed();
    await failed(person.id, retries);
    await due(person.id);
    await runJob();
    await expect.poll(() => jobOf(person.id)).toMatchObject({ state: 'retry', retries });
    const { seconds = 0 } = (await jobOf(person.id)) ?? {};
    expect(seconds).toBeGreaterThan(least - 25);
    expect(seconds).toBeLessThanOrEqual(most);
  });

  test('is given up after a day, and not before', async () => {
    // The 30th retry is due after 24 to 25 hours.
    const [young, old] = [await owed(), await owed()];
    await failed(young.id, 29);
    await failed(old.id, 30);
    await due(young.id, old.id);
    await runJob();
    await expectState(old.id, 'failed');
    await expectState(young.id, 'retry');
    world.identity.faults.mail = 'none';
    await due(young.id, old.id);
    await runJob();
    await expectMail(young.email);
    expect(mailsTo(old.email)).toBe(0);
  });
});

describe('a mail that is owed', () => {
  test('is not lost when the service dies while it sends', async () => {
    world.identity.faults.mail = 'hang';
    const doomed = await startProcess(world.environment);
    const person = world.newPerson();
    const { status, body } = await createApi(doomed.url).call<User>(world.global, 'POST /api/users', person);
    expect(status).toBe(201);
    await expectState(body.id, 'active');
    await doomed.kill();
    expect(await jobOf(body.id)).toMatchObject({ state: 'active' });
    world.identity.faults.mail = 'none';
    // As if a minute had passed, and another process had looked for jobs of dead ones: runner.test.ts shows that it does.
    await world.sql("update pgboss.job set state = 'retry' where data ->> 'userId' = $1", [body.id]);
    await runJob();
    await expectMail(person.email);
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
    world.identity.faults.mail = 'none';
    await due(person.id);
    await runJob();
    await expectState(person.id, 'completed');
    expect(mailsTo(person.email)).toBe(0);
  });

  test('is left to the next start by a service that stops: it ends with the mail in hand', async () => {
    const people = [await owed(), await owed(), await owed()];
    const ids = people.map(({ id }) => id);
    await world.service.stop();
    world.identity.faults.mail = 'hang';
    await due(...ids);
    const service = await world.another();
    const tried = async () => (await Promise.all(ids.map(jobOf))).filter((job) => job?.retries === 1).length;
    await expect.poll(tried).toBe(1);
    await service.stop();
    expect(await tried()).toBe(1);
  });
});
