import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  type CallerInvalidation,
  type CallerInvalidationListener,
  callerInvalidationNotices,
  connect,
  type Database,
  listenForCallerInvalidations,
  notifiedSubjects,
} from '../src/index.ts';
import { records } from './records.ts';
import { startProxy } from '../../../test/proxy.ts';

let connectionString: string;
let database: Database;
const listeners: CallerInvalidationListener[] = [];

beforeAll(async () => {
  connectionString = await createTestDatabase();
  database = connect({ connectionString });
});
afterEach(async () => void (await Promise.all(listeners.splice(0).map((listener) => listener.close()))));
afterAll(() => database.close());

/** Starts a listener. `heard` collects its invalidations and its calls of `onTrust`, in order. */
async function listen({ url = connectionString, heartbeatMs = 60_000 } = {}) {
  const heard: (CallerInvalidation | boolean)[] = [];
  const listener = listenForCallerInvalidations({
    connectionString: url,
    heartbeatMs,
    onInvalidation: (invalidation) => heard.push(invalidation),
    onTrust: (trusted) => heard.push(trusted),
  });
  listeners.push(listener);
  expect(listener.trusted()).toBe(false);
  await expect.poll(() => heard).toEqual([true]);
  await expect.poll(() => listener.trusted()).toBe(true);
  return { heard, listener };
}

const notify = (invalidation: CallerInvalidation) =>
  database.transaction(async (executor) => executor.beforeCommit(() => callerInvalidationNotices(invalidation)));

describe('callerInvalidationNotices', () => {
  test('notifies every instance after the commit and not before', async () => {
    const [one, two] = [await listen(), await listen()];
    await database.transaction(async (executor) => {
      executor.beforeCommit(() => callerInvalidationNotices({ sub: ['ana'] }));
      await notify({ sub: ['rosa'] });
      await expect.poll(() => [one.heard.length, two.heard.length]).toEqual([2, 2]);
    });
    const expected = [true, { sub: ['rosa'] }, { sub: ['ana'] }];
    await expect.poll(() => [one.heard, two.heard]).toEqual([expected, expected]);
  });

  test('notifies nobody if the transaction rolls back', async () => {
    const { heard } = await listen();
    const rolledBack = database.transaction(async (executor) => {
      executor.beforeCommit(() => callerInvalidationNotices({ sub: ['ana'] }));
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    await notify({ all: true });
    await expect.poll(() => heard).toEqual([true, { all: true }]);
  });

  test('notifies of users by id, and returns their subjects', async () => {
    const { heard } = await listen();
    const user = await records(database.db).user({ idIdentity: 'ana' });
    let results: readonly unknown[][] = [];
    await database.transaction(async (executor) => {
      executor.beforeCommit(
        () => callerInvalidationNotices({ sub: ['rosa'], userId: [user] }),
        (rows) => (results = rows),
      );
    });
    expect(notifiedSubjects(results)).toEqual(['ana']);
    await expect.poll(() => heard).toEqual([true, { sub: ['rosa'] }, { sub: ['ana'] }]);
  });

  test('accepts any number of subjects of any length', async () => {
    const { heard } = await listen();
    const many = Array.from({ length: 250 }, (_, index) => `subject-${index}`);
    await notify({ sub: many });
    await expect.poll(() => heard.length).toBe(4);
    expect(heard.slice(1).flatMap((change) => (typeof change === 'object' ? change.sub : []))).toEqual(many);
    await notify({ sub: ['x'.repeat(9_000)] });
    await notify({ sub: ['ana'], all: true });
    await notify({});
    await notify({ sub: [] });
    await notify({ sub: ['end'] });
    await expect.poll(() => heard.slice(4)).toEqual([{ all: true }, { all: true }, { sub: ['end'] }]);
  });
});

describe('listenForCallerInvalidations', () => {
  test.each(['', 'no json', '7', 'null', '{"sub":"ana"}', '{"clientId":7}'])(
    'invalidates all callers for an unknown payload %j',
    async (payload) => {
      const { heard } = await listen();
      await sql`select pg_notify('profile_caller_invalidation', ${payload})`.execute(database.db);
      await expect.poll(() => heard).toEqual([true, { all: true }]);
    },
  );

  test('detects a terminated connection without waiting for a heartbeat, and listens again', async () => {
    const { heard, listener } = await listen();
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'profile-service-changes' and datname = current_database()`.execute(database.db);
    await expect.poll(() => heard).toEqual([true, false, true]);
    expect(listener.trusted()).toBe(true);
    await notify({ sub: ['ana'] });
    await expect.poll(() => heard).toEqual([true, false, true, { sub: ['ana'] }]);
  });

  test('detects a connection that is open but carries no data', async () => {
    const proxy = await startProxy(connectionString);
    const { heard, listener } = await listen({ url: proxy.url, heartbeatMs: 100 });
    proxy.hold(true);
    await expect.poll(() => heard.at(-1)).toBe(false);
    expect(listener.trusted()).toBe(false);
    proxy.hold(false);
    await expect.poll(() => heard.at(-1)).toBe(true);
    await listener.close();
    await proxy.stop();
  });

  test('receives nothing and is not trusted after it is closed', async () => {
    const { heard, listener } = await listen();
    await listener.close();
    expect(listener.trusted()).toBe(false);
    const other = await listen();
    await notify({ sub: ['ana'] });
    await expect.poll(() => other.heard).toEqual([true, { sub: ['ana'] }]);
    expect(heard).toEqual([true]);
  });
});
