import { endpoints } from '@profile-service/contracts';
import { exampleOf } from '@profile-service/contracts/examples';
import { expect, test } from 'vitest';
import { ruleOf } from '../oracle/rules.ts';
import { callersOf } from './callers.ts';
import { useFixture } from './fixture.ts';
import { rest } from './send.ts';

const fixture = useFixture();

const outcomes = new Set<string | number>();

// Rules: ACCESS-1, ACCESS-2, ACCESS-3, ACCESS-4, ACCESS-5, ACCESS-6, ACCESS-7, ACCESS-8, ACCESS-9, ACCESS-10, ACCESS-11, ADDRESSES-7
// Rules: AUTH-1, AUTH-8, AUTH-10, AUTH-11, AUTH-12, AUTH-13, COOPERATIVES-3, CUSTOMERS-1, INPUT-1, MEMBERS-3, MEMBERSCOPES-1, TENANT-8
// Rules: USERS-5
test.each(endpoints)('$name accepts or refuses every kind of caller as the specification says', async ({ name, endpoint }) => {
  const url = fixture.world.service.url;
  const isRepeatable = endpoint.method === 'GET' || endpoint.method === 'PUT';
  const [expected, actual]: Record<string, unknown>[] = [{}, {}];
  const rowRule = name === 'imports.create' ? ruleOf('POST', '/api/organizations') : undefined;
  for (const { name: caller, refused, signIn } of callersOf(fixture, ruleOf(endpoint.method, endpoint.path), rowRule)) {
    const input = refused || isRepeatable ? await fixture.sharedInput(name) : await exampleOf(name).valid(fixture);
    const { status, problem } = await rest({ url, actor: await signIn(), input }, name, endpoint);
    outcomes.add(problem?.code ?? 'allowed');
    expected![caller] = refused ?? endpoint.success;
    actual![caller] = problem?.code ?? status;
  }
  expect(actual).toEqual(expected);
});

test('the callers above get every error code of the guard', () => {
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
