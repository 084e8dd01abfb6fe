import { endpoints, errors, errorsOf } from '@profile-service/contracts';
import { exampleOf } from '@profile-service/contracts/examples';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrokenInstances } from './broken-instances.ts';
import { type FixtureWithBrokenInstances, scenarioOf } from './calls.ts';
import { startFixture } from './fixture.ts';
import { rest, trpc } from './send.ts';

let fixture: FixtureWithBrokenInstances;
beforeAll(async () => {
  const started = await startFixture();
  fixture = { ...started, broken: await startBrokenInstances(started.world) };
});
afterAll(async () => {
  await fixture.world.stop();
  await fixture.broken.stop();
});

describe.each(endpoints)('$name', ({ name, endpoint }) => {
  // Rules: ERRORS-3
  test('declares every error of its example', () => {
    expect(endpoint.errors).toEqual(expect.arrayContaining(Object.keys(exampleOf(name).errors ?? {})));
  });

  // Rules: CITIES-4, DOCUMENTS-3, ERRORS-2, ERRORS-3, ERRORS-6, MEMBERS-5, MEMBERS-8, MEMBERS-11, TENANTS-2, TENANTS-11, TRPC-3, TRPC-4, USERS-13
  test.each(errorsOf(endpoint))('returns the same %s over REST and tRPC', async (code) => {
    const attempt = await scenarioOf(name, code)(fixture, name, endpoint);
    const overRest = await rest(attempt, name, endpoint);
    // Endpoints for files do not exist over tRPC.
    const overTrpc = ['json', 'stream'].includes(endpoint.media) ? await trpc(attempt, name, endpoint) : overRest;
    await attempt.finish?.();
    expect(overRest.problem?.code).toBe(code);
    expect(overTrpc).toEqual(overRest);
    // Only the log has the cause of a 5xx.
    const detail = overRest.problem?.detail;
    expect(detail).toBe(errors[code].status < 500 ? detail : errors[code].when);
  });
});
