import { endpoints, errors, errorsOf } from '@profile-service/contracts';
import { exampleOf, type Input } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { callToRefuse, errorInput, guardScenarios, invalidInput, page } from './calls.ts';
import { useFixture } from './fixture.ts';
import { type Attempt, rest, trpc } from './send.ts';

const fixture = useFixture();

const transports = [
  ['REST', rest],
  ['tRPC', trpc],
] as const;

describe.each(endpoints)('$name', ({ name, endpoint }) => {
  let valid: Attempt;
  /** Inputs that cause the endpoint's own errors. */
  let states: Input[];
  /** What can be wrong with a request besides its caller. */
  let faults: Partial<Attempt>[];
  beforeAll(async () => {
    valid = await callToRefuse(fixture, name, endpoint);
    states = await Promise.all(Object.keys(exampleOf(name).errors ?? {}).map((code) => errorInput(fixture, name, code)));
    const ids = Object.fromEntries(Object.keys(endpoint.params).map((param) => [param, 'neither an id nor a number']));
    faults = [
      { input: { ...valid.input, ...ids, ...invalidInput(endpoint) } },
      ...states.map((input) => ({ input })),
      { damage: 'broken' },
      ...(endpoint.method === 'GET' ? [] : [{ damage: 'another type' as const }]),
      ...(endpoint.media === 'upload' ? [{ file: null }, { file: page }] : []),
    ];
  });
  const forbidden = errorsOf(endpoint).filter((code) => code in guardScenarios && errors[code].status === 403);
  /** The last 403 of the guard. Its callers meet every fault, the callers of the other codes one fault each. */
  const lastForbidden = forbidden.includes('NOT_ALLOWED') ? 'NOT_ALLOWED' : forbidden[0];

  describe.each(endpoint.media === 'json' ? transports : [transports[0]])('over %s', (_transport, call) => {
    const codesOf = (attempts: Partial<Attempt>[]) =>
      Promise.all(attempts.map(async (attempt) => (await call({ ...valid, ...attempt }, name, endpoint)).problem?.code));
    const tooLarge: Partial<Attempt>[] = endpoint.body ? [{ damage: 'too large' }] : [];

    // Rules: CHECKS-2
    test('checks the token before everything else', async () => {
      const all = [...faults, ...tooLarge];
      expect(await codesOf(all.map((fault) => ({ ...fault, actor: {} })))).toEqual(all.map(() => 'UNAUTHORIZED'));
    });

    // Rules: CHECKS-2, CHECKS-4
    test('checks the permission before the input and the data', async () => {
      for (const [index, code] of forbidden.entries()) {
        const { actor } = await guardScenarios[code]!(fixture, name, endpoint);
        const met = code === lastForbidden ? [...faults, ...tooLarge] : [faults[index % faults.length]];
        expect(await codesOf(met.map((fault) => ({ ...fault, actor })))).toEqual(met.map(() => code));
      }
    });

    if (!endpoint.body) return;
    // Rules: CHECKS-2
    test('checks the whole input before the data', async () => {
      const codes = await codesOf(states.map((input) => ({ input: { ...input, ...invalidInput(endpoint) } })));
      expect(codes).toEqual(states.map(() => 'VALIDATION_FAILED'));
    });
  });
});
