import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruleOf } from '../oracle/rules.ts';
import { callersOf } from './callers.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { sampleOf } from './samples.ts';
import { rest } from './send.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.world.stop());

const outcomes = new Set<string | number>();

test.each(endpoints)('$name lets every kind of caller pass or refuses it as the specification says', async ({ name, endpoint }) => {
  const url = fixture.world.service.url;
  // Refused calls change nothing, so they share an input.
  const refusedInput = await sampleOf(name)(fixture);
  const [expected, actual]: Record<string, unknown>[] = [{}, {}];
  for (const { name: caller, actor, refused } of await callersOf(fixture, ruleOf(endpoint.method, endpoint.path))) {
    const input = refused ? refusedInput : await sampleOf(name)(fixture);
    const { status, problem } = await rest({ url, actor, input }, name, endpoint);
    outcomes.add(problem?.code ?? 'allowed');
    expected![caller] = refused ?? endpoint.success;
    actual![caller] = problem?.code ?? status;
  }
  expect(actual).toEqual(expected);
});

test('the callers meet every refusal of the guard', () => {
  expect([...outcomes].toSorted()).toEqual([
    'ACTIVE_TENANT_REQUIRED',
    'CLIENT_NOT_LINKED',
    'NOT_ALLOWED',
    'PERSONA_NOT_ASSIGNED',
    'TENANT_NOT_ALLOWED',
    'UNAUTHORIZED',
    'USER_NOT_PROVISIONED',
    'allowed',
  ]);
});
