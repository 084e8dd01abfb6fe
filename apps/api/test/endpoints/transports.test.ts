import { endpoints, returnsVersion } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { validCall } from './calls.ts';
import { examples, type Input } from '@profile-service/contracts/examples';
import { useFixture } from './fixture.ts';
import { rest, trpc } from './send.ts';

const fixture = useFixture();

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const secret = /^whsec_[\w+/]{43}=$/;

/** The data with placeholders for what differs from call to call: sent values, generated ids, times, durations, secrets. */
function masked(data: unknown, input: Input): unknown {
  const sent = new Map(Object.entries(input).map(([field, value]) => [value, `<${field}>`]));
  const mask = (key: string, value: unknown) => {
    if (key === 'durationMs') return '<duration>';
    if (typeof value === 'number') return sent.get(value) ?? value;
    if (typeof value !== 'string') return value;
    return sent.get(value) ?? (uuid.test(value) ? '<uuid>' : timestamp.test(value) ? '<time>' : secret.test(value) ? '<secret>' : value);
  };
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data, mask));
}

const json = endpoints.filter(({ endpoint }) => endpoint.media === 'json');
const files = endpoints.filter(({ endpoint }) => endpoint.media === 'upload' || endpoint.media === 'download');

// Rules: TRPC-1, TRPC-2, TRPC-3, TRPC-5
test.each(json)('$name returns the same data over REST and tRPC', async ({ name, endpoint }) => {
  const first = await validCall(fixture, name, endpoint);
  const overRest = await rest(first, name, endpoint);
  // Reads and updates can be repeated. Creations and deletions need a new input.
  const second = endpoint.method === 'GET' || endpoint.method === 'PUT' ? first : await validCall(fixture, name, endpoint);
  const overTrpc = await trpc(second, name, endpoint);

  expect(overRest.status).toBe(endpoint.success);
  expect(overTrpc.status).toBe(200);
  expect(overRest.data === undefined).toBe(endpoint.output === null);
  expect(overRest.etag !== null).toBe(returnsVersion(endpoint));
  expect(overTrpc.etag !== null).toBe(returnsVersion(endpoint) && endpoint.output !== null);
  const show = endpoint.method === 'GET' ? (data: unknown) => data : masked;
  expect(show(overTrpc.data, second.input)).toEqual(show(overRest.data, first.input));
});

test.each(json.filter(({ endpoint }) => Object.keys(endpoint.query).length > 0))(
  '$name treats an empty filter as absent, over REST and tRPC',
  async ({ name, endpoint }) => {
    const call = await validCall(fixture, name, endpoint);
    const filters = Object.keys(endpoint.query).map((filter) => [filter, ''] as const);
    const unfiltered = Object.fromEntries(Object.entries(call.input).filter(([field]) => !(field in endpoint.query)));
    const all = await rest({ ...call, input: unfiltered }, name, endpoint);
    expect(all.status).toBe(200);
    for (const transport of [rest, trpc])
      expect(await transport({ ...call, input: { ...unfiltered, ...Object.fromEntries(filters) } }, name, endpoint)).toEqual(all);
  },
);

test.each(examples.filter(({ example }) => example.returns))(
  '$name returns the data of its example',
  async ({ name, endpoint, example }) => {
    for (const { input, output } of (await example.returns?.(fixture)) ?? []) {
      const { data } = await rest({ ...(await validCall(fixture, name, endpoint)), input }, name, endpoint);
      expect(data).toMatchObject(output);
    }
  },
);

// Rules: TRPC-6
test.each(files)('$name, which uploads or downloads a file, exists over REST only', async ({ name, endpoint }) => {
  const attempt = await validCall(fixture, name, endpoint);
  expect((await rest(attempt, name, endpoint)).status).toBe(endpoint.success);
  const { status, problem } = await trpc(attempt, name, endpoint);
  expect({ status, code: problem?.code }).toEqual({ status: 404, code: 'ROUTE_NOT_FOUND' });
});
