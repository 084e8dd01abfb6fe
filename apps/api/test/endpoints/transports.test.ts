import { errorsOf, endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rest, type Result, trpc } from './transports.ts';
import { startFaulty } from './faulty.ts';
import { startPlace } from './place.ts';
import type { Input } from './samples.ts';
import { scenarioOf, type Stage, validCall } from './scenarios.ts';

let stage: Stage;
beforeAll(async () => {
  const place = await startPlace();
  stage = { ...place, faulty: await startFaulty(place.world) };
});
afterAll(async () => {
  await stage.world.stop();
  await stage.faulty.stop();
});

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The data with names for what differs from call to call: what was sent, ids that were made, times. */
function masked(data: unknown, input: Input): unknown {
  const sent = new Map(Object.entries(input).map(([field, value]) => [value, `<${field}>`]));
  const mask = (_key: string, value: unknown) => {
    if (typeof value === 'number') return sent.get(value) ?? value;
    if (typeof value !== 'string') return value;
    return sent.get(value) ?? (uuid.test(value) ? '<uuid>' : timestamp.test(value) ? '<time>' : value);
  };
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data, mask));
}

const [onBoth, overRestAlone] = [
  endpoints.filter(({ endpoint }) => endpoint.media === 'json'),
  endpoints.filter(({ endpoint }) => endpoint.media !== 'json'),
];

describe.each(onBoth)('$name', ({ name, endpoint }) => {
  test('gives the same over REST and tRPC', async () => {
    const first = await validCall(stage, name);
    const overRest = await rest(first, name, endpoint);
    // Reads and changes can be repeated; a creation and a deletion are made on an equal state.
    const second = endpoint.method === 'GET' || endpoint.method === 'PUT' ? first : await validCall(stage, name);
    const overTrpc = await trpc(second, name, endpoint);

    expect(overRest.status).toBe(endpoint.success);
    expect(overTrpc.status).toBe(200);
    expect(overRest.data === undefined).toBe(endpoint.output === null);
    const show = endpoint.method === 'GET' ? (data: unknown) => data : masked;
    expect(show(overTrpc.data, second.input)).toEqual(show(overRest.data, first.input));
  });

  test.each(errorsOf(endpoint))('answers %s alike over REST and tRPC', async (code) => {
    const attempt = await scenarioOf(name, code)(stage, name, endpoint);
    const overRest: Result = await rest(attempt, name, endpoint);
    expect(overRest.problem?.code).toBe(code);
    expect(await trpc(attempt, name, endpoint)).toEqual(overRest);
  });
});

describe.each(onBoth.filter(({ endpoint }) => Object.keys(endpoint.query).length > 0))('$name', ({ name, endpoint }) => {
  test('takes an empty filter for none, over REST and tRPC', async () => {
    const call = await validCall(stage, name);
    const filters = Object.keys(endpoint.query).map((filter) => [filter, ''] as const);
    const unfiltered = Object.fromEntries(Object.entries(call.input).filter(([field]) => !(field in endpoint.query)));
    const all = await rest({ ...call, input: unfiltered }, name, endpoint);
    expect(all.status).toBe(200);
    for (const face of [rest, trpc])
      expect(await face({ ...call, input: { ...unfiltered, ...Object.fromEntries(filters) } }, name, endpoint)).toEqual(all);
  });
});

describe.each(overRestAlone)('$name, which takes or gives a file,', ({ name, endpoint }) => {
  test('is there over REST, and unknown to tRPC', async () => {
    const attempt = await validCall(stage, name);
    expect((await rest(attempt, name, endpoint)).status).toBe(endpoint.success);
    const { status, problem } = await trpc(attempt, name, endpoint);
    expect({ status, code: problem?.code }).toEqual({ status: 404, code: 'ROUTE_NOT_FOUND' });
  });
});
