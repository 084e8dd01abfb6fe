import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

/** Tests change the times in the database instead of waiting. */
const world = useWorld();
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

/** Creates a person whose first mail fails. */
const withFailedMail = async () => {
  world.identity.faults.mail = 'refuse';
  const person = await world.person();
  await expectState(person.id, 'retry');
  return person;
};
/** Makes the next attempts due now. */
const makeDue = (...ids: string[]) =>
  world.sql("update pgboss.job set start_after = now() - interval '1 s' where data ->> 'userId' = any($1)", [ids]);
/** Sends another mail, which wakes the worker. Resolves when that mail, and all due mails before it, were attempted. */
const runJob = async () => {
  const { id } = await world.person();
  await expect.poll(async () => (await jobOf(id))?.state).toMatch(/^(completed|retry)$/);
};

describe('a password mail that fails', () => {
  // Rules: IDENTITY-5, USERS-10
  test('leaves the user created, and is sent when its retry is due, not before, and not to a user who was deleted meanwhile', async () => {
    const [person, deleted] = [await withFailedMail(), await withFailedMail()];
    await world.call(world.global, `DELETE /api/users/${deleted.id}`);
    world.identity.faults.mail = 'none';
    await runJob();
    expect(mailsTo(person.email)).toBe(0);
    await makeDue(person.id, deleted.id);
    await runJob();
    await expectMail(person.email);
    for (const { id } of [person, deleted]) await expectState(id, 'completed');
    expect(mailsTo(deleted.email)).toBe(0);
  });

  // Rules: IDENTITY-6, IDENTITY-7
  test('is retried after growing pauses, and is given up after a day', async () => {
    const pauses = [
      { retries: 1, least: 60, most: 120 },
      { retries: 2, least: 120, most: 240 },
      { retries: 6, least: 1920, most: 3600 },
      { retries: 7, least: 3600, most: 3600 },
      // The 30th retry is due after 24 to 25 hours.
      { retries: 29, least: 3600, most: 3600 },
    ];
    const people: Person[] = [];
    for (const { retries } of [...pauses, { retries: 30 }]) {
      const person = await withFailedMail();
      await world.sql("update pgboss.job set retry_count = $2 - 1 where data ->> 'userId' = $1", [person.id, retries]);
      people.push(person);
    }
    const ids = people.map(({ id }) => id);
    await makeDue(...ids);
    await runJob();
    for (const [index, { retries, least, most }] of pauses.entries()) {
      const job = await jobOf(ids[index] ?? '');
      expect(job).toMatchObject({ state: 'retry', retries });
      expect(job?.seconds).toBeGreaterThan(least - 25);
      expect(job?.seconds).toBeLessThanOrEqual(most);
    }
    const [youngest, oldest] = people.slice(-2) as [Person, Person];
    await expectState(oldest.id, 'failed');
    world.identity.faults.mail = 'none';
    await makeDue(...ids);
    await runJob();
    await expectMail(youngest.email);
    expect(mailsTo(oldest.email)).toBe(0);
  });
});
