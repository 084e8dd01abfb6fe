import { errors, errorsOf, endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId } from '../support/records.ts';
import { type Attempt, rest, type Spoilt, trpc } from './transports.ts';
import { page } from './file-codes.ts';
import { ownCodes } from './own-codes.ts';
import { type Place, startPlace } from './place.ts';
import type { Input } from './samples.ts';
import { refusals, validCall, wrongInput } from './scenarios.ts';

let place: Place;
beforeAll(async () => (place = await startPlace()));
afterAll(() => place.world.stop());

const faces = [
  ['REST', rest],
  ['tRPC', trpc],
] as const;
const restAlone = [faces[0]];

describe.each(endpoints)('$name', ({ name, endpoint }) => {
  let valid: Attempt;
  /** Inputs that end in the row's own codes. */
  let states: Input[];
  /** What can be wrong with a request beside who sends it. */
  let faults: Partial<Attempt>[];
  beforeAll(async () => {
    valid = await validCall(place, name);
    states = await Promise.all(Object.values(ownCodes(name)).map((state) => state(place)));
    const ids = Object.fromEntries(Object.keys(endpoint.params).map((param) => [param, 'neither an id nor a number']));
    const spoilt: Spoilt[] = endpoint.method === 'GET' ? ['broken'] : ['broken', 'too large', 'another type'];
    faults = [
      { input: { ...valid.input, ...ids, ...wrongInput(endpoint) } },
      ...states.map((input) => ({ input })),
      ...spoilt.map((how) => ({ spoilt: how })),
      ...(endpoint.media === 'upload' ? [{ file: null }, { file: page }] : []),
    ];
  });
  const refused = errorsOf(endpoint).filter((code) => code in refusals && errors[code].status === 403);

  describe.each(endpoint.media === 'json' ? faces : restAlone)('%s', (_face, call) => {
    const codesFor = (attempts: Partial<Attempt>[]) =>
      Promise.all(attempts.map(async (attempt) => (await call({ ...valid, ...attempt }, name, endpoint)).problem?.code));

    test('looks at the token before anything else', async () => {
      const codes = await codesFor(faults.map((fault) => ({ ...fault, actor: {} })));
      expect(codes).toEqual(faults.map(() => 'UNAUTHORIZED'));
    });

    test.each(refused)('answers %s before it looks at the input or at the data', async (code) => {
      const { actor } = await refusals[code]!(place, name, endpoint);
      const codes = await codesFor(faults.map((fault) => ({ ...fault, actor })));
      expect(codes).toEqual(faults.map(() => code));
    });

    if (!endpoint.body) return;
    test('looks at the whole input before it looks at the data', async () => {
      const codes = await codesFor(states.map((input) => ({ input: { ...input, ...wrongInput(endpoint) } })));
      expect(codes).toEqual(states.map(() => 'VALIDATION_FAILED'));
    });
  });
});

describe('that only a Global user makes, changes or deletes a Global user', () => {
  const global = { type: 'Global' };
  const holder = async () => ({
    token: await place.world.tokenOf({ sub: place.members.viewer.subject, roles: ['users:create', 'users:update', 'users:delete'] }),
  });
  const ask = async (target: string, body?: unknown) => (await place.world.call(await holder(), target, body)).code;

  test('is looked at after the shape of the request', async () => {
    expect(await ask('POST /api/users', { ...place.world.newPerson(), ...global, email: 'no mail' })).toBe('VALIDATION_FAILED');
    expect(await ask(`PUT /api/users/${absentId}`, { ...global, name: '' })).toBe('VALIDATION_FAILED');
    expect(await ask(`POST /api/users/${place.globalMember.id}/tenants`, { tenantId: 'harvest' })).toBe('VALIDATION_FAILED');
  });

  test('is looked at before the data', async () => {
    const { email, federalTaxId } = place.members.viewer;
    expect(await ask('POST /api/users', { ...place.world.newPerson(), email, federalTaxId, ...global })).toBe('NOT_ALLOWED');
    expect(await ask('POST /api/users', { ...place.world.newPerson(), customerId: absentId, ...global })).toBe('NOT_ALLOWED');
    expect(await ask(`PUT /api/users/${absentId}`, global)).toBe('NOT_ALLOWED');
    expect(await ask(`PUT /api/users/${place.globalMember.id}`, { email })).toBe('NOT_ALLOWED');
    const membership = { tenantId: absentId, persona: 'viewer' };
    expect(await ask(`POST /api/users/${place.globalMember.id}/tenants`, membership)).toBe('NOT_ALLOWED');
  });
});
