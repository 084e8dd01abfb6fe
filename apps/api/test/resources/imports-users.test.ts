import { afterEach, expect, test } from 'vitest';
import { createUserRate } from '../../src/imports/run-import.ts';
import { csvOf } from '../support/import-rows.ts';
import { importEnd, importResults, uploadImport } from '../support/imports.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useTenant } from '../support/use-people.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { startWorld } from '../support/world.ts';

const { log, lines } = recordLog();
const world = duringTests(
  () => startWorld({}, createTestDatabase, { log }),
  (started) => started.stop(),
);
const tenant = useTenant(world);

afterEach(() => void (world.identity.faults.admin = 'none'));

type NewPerson = ReturnType<typeof world.newPerson>;
const people = (count: number) => Array.from({ length: count }, () => world.newPerson());
const mailsTo = (email: string) => world.identity.mails.filter(({ to }) => to === email);
const importUsers = async (rows: NewPerson[], actor = world.global) =>
  (await uploadImport(world, actor, { type: 'users' }, csvOf(rows))).body.id;

// Rules: IMPORTS-17
test('at most 10 users per second are created, by all imports together, each with an identity and one mail', async () => {
  const global = { ...(await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' })), tenant: tenant.id };
  const rows = [people(7), people(7)] as const;
  const ids = [await importUsers(rows[0]), await importUsers(rows[1], global)];
  for (const id of ids) expect(await importEnd(world, world.global, id)).toMatchObject({ status: 'COMPLETED', created: 7 });
  const [{ seconds } = { seconds: 0 }] = await world.sql<{ seconds: number }>(
    'select extract(epoch from max(occurred_at) - min(occurred_at))::float as seconds from audit_entries where request_id = any($1)',
    [ids],
  );
  // From the first of 14 users to the last one: 13 tenths of a second. The two rows at the ends may take a different time.
  expect(seconds).toBeGreaterThan(0.9);
  for (const { email } of rows.flat()) {
    expect(world.identity.users().filter((identity) => identity.email === email)).toHaveLength(1);
    await expect.poll(() => mailsTo(email)).toHaveLength(1);
  }
});

test('the rate lets no call pass early: neither calls at once nor those after a pause', async () => {
  // A timer may fire a millisecond early.
  const rate = createUserRate(100);
  const { signal } = new AbortController();
  const started = performance.now();
  await Promise.all(Array.from({ length: 11 }, () => rate(signal)));
  expect(performance.now() - started).toBeGreaterThan(95);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const again = performance.now();
  await Promise.all(Array.from({ length: 6 }, () => rate(signal)));
  expect(performance.now() - again).toBeGreaterThan(45);
});

// Rules: IMPORTS-13, IMPORTS-20
test('while the identity provider is down, an import of users waits, and continues with the same row', async () => {
  const rows = people(3);
  world.identity.faults.admin = 'refuse';
  const id = await importUsers(rows);
  const warnings = () => lines().filter((line) => line['import'] === id);
  await expect.poll(warnings).toMatchObject([{ msg: 'an import has failed, and continues in 5 seconds' }]);
  expect((await world.call(world.global, `GET /api/imports/${id}`)).body).toMatchObject({ status: 'RUNNING', processed: 0, rows: 3 });
  world.identity.faults.admin = 'none';
  expect(await importEnd(world, world.global, id)).toMatchObject({ status: 'COMPLETED', created: 3, failed: 0 });
  for (const { email } of rows) await expect.poll(() => mailsTo(email)).toHaveLength(1);
});

// Rules: IMPORTS-13
test('a name that the identity provider rejects fails its row only', async () => {
  const [one, two, three] = people(3) as [NewPerson, NewPerson, NewPerson];
  const id = await importUsers([one, { ...two, name: 'Ana <Souza>' }, three]);
  expect(await importEnd(world, world.global, id)).toMatchObject({ created: 2, failed: 1 });
  expect((await importResults(world, world.global, id))[1]).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'name' }] });
});
