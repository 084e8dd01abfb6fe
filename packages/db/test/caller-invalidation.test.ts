import { describe, expect, onTestFinished, test } from 'vitest';
import { type CallerInvalidation, callerInvalidationNotices, listenForCallerInvalidations, notifiedSubjects } from '../src/index.ts';
import { startProxy } from '../../../test/proxy.ts';
import { useDatabase } from './use-database.ts';

const { url, database, make, sql } = await useDatabase();

/** Starts a listener. `heard` collects its invalidations and its calls of `onTrust`, in order. */
async function listen({ connectionString = url, heartbeatMs = 60_000 } = {}) {
  const heard: (CallerInvalidation | boolean)[] = [];
  const listener = listenForCallerInvalidations({
    connectionString,
    heartbeatMs,
    onInvalidation: (invalidation) => heard.push(invalidation),
    onTrust: (trusted) => heard.push(trusted),
  });
  onTestFinished(() => listener.close());
  expect(listener.trusted()).toBe(false);
  await expect.poll(() => heard).toEqual([true]);
  expect(listener.trusted()).toBe(true);
  return { heard, listener };
}

const notify = (invalidation: CallerInvalidation) =>
  database.transaction(async (executor) => executor.beforeCommit(() => callerInvalidationNotices(invalidation)));

describe('callerInvalidationNotices', () => {
  test('notifies every instance after the commit and not before, and nobody after a rollback', async () => {
    const [one, two] = [await listen(), await listen()];
    const rolledBack = database.transaction(async (executor) => {
      executor.beforeCommit(() => callerInvalidationNotices({ sub: ['rolled back'] }));
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    await database.transaction(async (executor) => {
      executor.beforeCommit(() => callerInvalidationNotices({ sub: ['ana'] }));
      await notify({ sub: ['rosa'] });
      await expect.poll(() => [one.heard.length, two.heard.length]).toEqual([2, 2]);
    });
    const expected = [true, { sub: ['rosa'] }, { sub: ['ana'] }];
    await expect.poll(() => [one.heard, two.heard]).toEqual([expected, expected]);
  });

  test('notifies of users by id, and returns their subjects', async () => {
    const { heard } = await listen();
    const user = await make.user({ idIdentity: 'ana' });
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
    for (const sub of [['x'.repeat(9_000)], [], ['end']]) await notify({ sub });
    await notify({ sub: ['ana'], all: true });
    await notify({});
    await expect.poll(() => heard.slice(4)).toEqual([{ all: true }, { sub: ['end'] }, { all: true }]);
  });
});

describe('listenForCallerInvalidations', () => {
  test('invalidates all callers for every unknown payload', async () => {
    const { heard } = await listen();
    const payloads = ['', 'no json', '7', 'null', '{"sub":"ana"}', '{"clientId":7}'];
    for (const payload of payloads) await sql(`select pg_notify('profile_caller_invalidation', $1)`, [payload]);
    await expect.poll(() => heard).toEqual([true, ...payloads.map(() => ({ all: true }))]);
  });

  test('listens again after its connection was terminated, and hears nothing after it is closed', async () => {
    const { heard, listener } = await listen();
    await sql(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'profile-service-changes' and datname = current_database()`);
    await expect.poll(() => heard).toEqual([true, false, true]);
    await listener.close();
    expect(listener.trusted()).toBe(false);
    const other = await listen();
    await notify({ all: true });
    await expect.poll(() => other.heard).toEqual([true, { all: true }]);
    expect(heard).toHaveLength(3);
  });

  test('detects a connection that is open but carries no data', async () => {
    const proxy = await startProxy(url);
    const { heard, listener } = await listen({ connectionString: proxy.url, heartbeatMs: 100 });
    proxy.hold(true);
    await expect.poll(() => heard.at(-1)).toBe(false);
    expect(listener.trusted()).toBe(false);
    proxy.hold(false);
    await expect.poll(() => heard.at(-1)).toBe(true);
    await listener.close();
    await proxy.stop();
  });
});
