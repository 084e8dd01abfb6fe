import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Admission, type AdmissionOptions } from '../../src/request/limits/admission.ts';
import { StartRate } from '../../src/request/limits/start-rate.ts';
import { RequestAbort } from '../../src/request/request-abort.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const waitMs = 5_000;
const maxDelayMs = 1_000;

function createAdmission(limits: Partial<AdmissionOptions>) {
  const counts = { tenantRejected: 0, shed: 0 };
  const waits: number[] = [];
  const admission = new Admission({
    of: 'a database slot',
    max: 1,
    maxPerTenant: 1,
    maxWaiting: 100,
    maxDelayMs,
    waitMs,
    onTenantRejected: () => (counts.tenantRejected += 1),
    onOverloaded: () => (counts.shed += 1),
    onWaited: (seconds) => waits.push(seconds),
    ...limits,
  });
  const started: string[] = [];
  const ends = new Map<string, (name: string) => void>();
  /** Runs an operation that `end` ends. Its name is that of its tenant and a number. */
  const run = (name: string, { request = new RequestAbort(), isContinued = false } = {}) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    ends.set(name, resolve);
    const work = () => {
      started.push(name);
      return promise;
    };
    const [tenant = ''] = name;
    return (async () => admission.run(tenant, request, work, isContinued))().catch((error: unknown) => error);
  };
  const end = async (...names: string[]) => {
    for (const name of names) {
      ends.get(name)?.(name);
      await vi.advanceTimersByTimeAsync(0);
    }
  };
  /** Runs an operation. Returns its error, or that it waits. */
  const result = async (...args: Parameters<typeof run>) =>
    Promise.race([run(...args), vi.advanceTimersByTimeAsync(0).then(() => 'waits')]);
  return { admission, counts, waits, started, run, end, result };
}

const overloaded = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service is overloaded: too many requests wait for a database slot. Retry after 1 second.',
};

describe('Admission', () => {
  test('keeps nothing about tenants without operations, also if it has rejected theirs', async () => {
    const { admission, run, end, result } = createAdmission({ maxWaiting: 1 });
    for (const name of ['a1', 'a2']) void run(name);
    for (const name of ['b1', 'c1', 'd1']) expect(await result(name)).toMatchObject(overloaded);
    const aborted = new RequestAbort();
    aborted.abort();
    expect(await result('e1', { request: aborted, isContinued: true })).toBe(aborted.reason);
    expect(admission.tenants).toBe(1);
    await end('a1', 'a2');
    expect(admission.tenants).toBe(0);
  });

  test('gives slots to the waiting tenants in turn, and to the operations of a tenant in the order of arrival', async () => {
    const { started, run, end, waits } = createAdmission({});
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void run(name);
    const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'];
    await end(...order);
    expect(started).toEqual(order);
    expect(waits).toHaveLength(order.length - 1);
  });

  test('starts those operations of a tenant first that have held a slot before', async () => {
    const { started, run, end } = createAdmission({});
    for (const name of ['a1', 'a2', 'b1', 'b2']) void run(name);
    for (const name of ['b3', 'b4']) void run(name, { isContinued: true });
    const order = ['a1', 'a2', 'b3', 'b4', 'b1', 'b2'];
    await end(...order);
    expect(started).toEqual(order);
  });

  test('starts an operation synchronously if a slot is free, and reports whether it had to wait', async () => {
    const { admission, run, end } = createAdmission({ max: 2 });
    expect(admission.run('a', new RequestAbort(), (hasWaited) => hasWaited)).toBe(false);
    void run('a1');
    const second = admission.run('a', new RequestAbort(), (hasWaited) => hasWaited);
    await end('a1');
    expect(await second).toBe(true);
  });

  test('lets one tenant fill half of the queue, and always keeps a place for another tenant', async () => {
    const { admission, run, counts, result } = createAdmission({ maxWaiting: 8 });
    void run('x1');
    const results = async (tenant: string) => Promise.all(['1', '2', '3', '4', '5', '6'].map((n) => result(tenant + n)));
    const rejected = expect.objectContaining(overloaded);
    expect(await results('a')).toEqual(['waits', 'waits', 'waits', 'waits', rejected, rejected]);
    expect(await results('b')).toEqual(['waits', 'waits', rejected, rejected, rejected, rejected]);
    expect(await result('c1')).toBe('waits');
    expect([admission.waiting, counts]).toEqual([7, { tenantRejected: 0, shed: 6 }]);
  });

  test('does not reject at once what has started, or anything if the queue has no limit', async () => {
    const [limited, unlimited] = [createAdmission({ maxWaiting: 1 }), createAdmission({ maxWaiting: 0 })];
    for (const { run } of [limited, unlimited]) for (const name of ['x1', 'a1']) void run(name);
    expect(await limited.result('a2')).toMatchObject(overloaded);
    expect(await limited.result('a3', { isContinued: true })).toBe('waits');
    expect(await unlimited.result('a2')).toBe('waits');
  });

  test('lets a burst fill the queue, and in an overload no more operations of a tenant wait than start in the allowed time', async () => {
    const { run, end, result } = createAdmission({ maxPerTenant: 2 });
    void run('x1');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void run(name);
    await end('x1', 'a1');
    vi.advanceTimersByTime(maxDelayMs - 1);
    expect(await result('a6')).toBe('waits');
    vi.advanceTimersByTime(1);
    // Two have started, four wait.
    expect(await result('a7')).toMatchObject(overloaded);
    await end('a2', 'a3');
    expect(await result('a8')).toMatchObject(overloaded);
    await end('a4');
    expect(await result('a9')).toBe('waits');
    // Three have started in twice the time.
    vi.advanceTimersByTime(2 * maxDelayMs);
    expect(await result('a0')).toMatchObject(overloaded);
  });

  test('lets one operation of each tenant wait while nothing starts, and does not count the wait for own slots as overload', async () => {
    const [own, others] = [createAdmission({}), createAdmission({})];
    for (const name of ['x1', 'x2', 'x3']) void own.run(name);
    for (const name of ['x1', 'a1']) void others.run(name);
    vi.advanceTimersByTime(2 * maxDelayMs);
    expect(await own.result('x4')).toBe('waits');
    expect(await others.result('a2')).toMatchObject(overloaded);
    expect(await others.result('b1')).toBe('waits');
  });
});

test('StartRate counts the starts of the last complete interval, or of this one if there are more already', () => {
  const rate = new StartRate(100, 0);
  for (const now of [10, 20, 30]) rate.count(now);
  expect(rate.perInterval(99)).toBe(Infinity);
  expect(rate.perInterval(100)).toBe(3);
  rate.count(110);
  expect(rate.perInterval(120)).toBe(3);
  for (let now = 121; now < 130; now += 1) rate.count(now);
  expect(rate.perInterval(130)).toBe(10);
  // This interval lasts 200 ms, because nobody asked before.
  expect(rate.perInterval(300)).toBe(5);
});
