import { type Endpoint, endpoints, errorsOf } from '@profile-service/contracts';
import { exampleOf, type Input } from '@profile-service/contracts/examples';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { schemaFault } from '../support/declared.ts';
import { pdf } from '../support/files.ts';
import { page, validCall } from './calls.ts';
import { damaged, naughty } from './damage.ts';
import { useFixture } from './fixture.ts';
import { naughtyStrings, naughtyValues } from './naughty-strings.ts';
import { type Attempt, type Damage, rest, type Result, trpc } from './send.ts';

const fixture = useFixture();

/** Random requests per endpoint. `npm run nightly` sends more. A failure prints the seed and the path that repeat it. */
const numRuns = Number(process.env['FUZZ_REQUESTS'] ?? 10);
/** The target and the token together must fit into the head size that the service accepts. */
const longestTarget = 12_000;

const headerTexts = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 });
const entityTags = fc.oneof(fc.constantFrom('*', '"1"', 'W/"1"', '"1", "2"'), headerTexts);
/** Headers and faults of the whole request. */
const extrasOf = ({ body }: Endpoint) =>
  fc.record(
    {
      ifMatch: entityTags,
      ifNoneMatch: entityTags,
      range: fc.oneof(fc.constantFrom('bytes=0-3', 'bytes=-4', 'bytes=9999-', 'bytes=5-2', 'bytes=0-1,3-4'), headerTexts),
      idempotencyKey: fc.oneof(fc.uuid(), headerTexts),
      damage: fc.constantFrom<Damage[]>(...(body ? (['broken', 'too large', 'another type'] as const) : (['broken'] as const))),
      file: fc.constantFrom(null, page, pdf('\0"\r\n', 3)),
    },
    { requiredKeys: [] },
  );
/** Most requests come from a caller who may make them. */
const actorsOf = (allowed: Actor): fc.Arbitrary<Actor> => {
  const { members, tenant, foreign, world } = fixture;
  const others = [members.viewer, members['tenant-admin'], tenant.service, {}, { ...world.global, tenant: foreign.id }];
  return fc.oneof({ weight: 12, arbitrary: fc.constant(allowed) }, { weight: 3, arbitrary: fc.constantFrom<Actor[]>(...others) });
};

/** A URL contains text only. */
const inUrl = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
const withTexts = (input: Input, fields: object): Input =>
  Object.fromEntries(Object.entries(input).map(([field, value]) => [field, field in fields ? inUrl(value) : value]));

/** What the document does not declare about a result over tRPC, whose data is the JSON body over REST. */
function undeclared(endpoint: Endpoint, { status, data, problem }: Result): string | undefined {
  const { path, method, success, output } = endpoint;
  const ofTransport = ['METHOD_NOT_ALLOWED', 'VALIDATION_FAILED', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'];
  if (problem) return [...errorsOf(endpoint), ...ofTransport].includes(problem.code) ? undefined : problem.code;
  if (status !== 200 || !output) return status === 200 && data === undefined ? undefined : `${status} with data`;
  return schemaFault(['paths', path, method.toLowerCase(), 'responses', String(success), 'content', 'application/json', 'schema'], data);
}

const statuses: number[] = [];

test.each(endpoints)(
  '$name responds to random requests as the OpenAPI document declares',
  { timeout: 600_000 },
  async ({ name, endpoint }) => {
    const { valid, optional, changes } = exampleOf(name);
    const call = await validCall(fixture, name, endpoint);
    const all = { ...call.input, ...(await optional?.(fixture)), ...(await changes?.(fixture)) };
    const inputs = fc.constantFrom<Input[]>(call.input, all, await valid(fixture));
    const requests = fc.record({
      input: fc.oneof(inputs, damaged(inputs), damaged(inputs), fc.dictionary(fc.string(), naughty, { maxKeys: 3 })),
      overTrpc: endpoint.media === 'json' ? fc.boolean() : fc.constant(false),
      actor: actorsOf(call.actor),
      extras: fc.oneof({ weight: 3, arbitrary: fc.constant<Partial<Attempt>>({}) }, { weight: 1, arbitrary: extrasOf(endpoint) }),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ input, overTrpc, actor, extras: more }) => {
        const attempt: Attempt = {
          ...call,
          actor,
          ...more,
          input: overTrpc ? input : withTexts(input, { ...endpoint.params, ...endpoint.query }),
        };
        fc.pre(encodeURIComponent(JSON.stringify(attempt.input)).length < longestTarget);
        // `.` and `..` would be another path.
        fc.pre(overTrpc || !Object.keys(endpoint.params).some((param) => /^\.*$/.test(String(attempt.input[param]))));
        const result = await (overTrpc ? trpc : rest)(attempt, name, endpoint);
        statuses.push(result.status);
        expect(result.status).toBeLessThan(500);
        // `rest` checks its responses itself.
        expect(overTrpc ? undeclared(endpoint, result) : undefined).toBeUndefined();
      }),
      { numRuns },
    );
  },
);

const reads = endpoints.filter(({ endpoint }) => endpoint.method === 'GET');
test.each(reads)('$name responds to invalid escapes in path and query without a server error', async ({ name, endpoint }) => {
  const { actor, input } = await validCall(fixture, name, endpoint);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(input[param]));
  for (const text of ['%', '%zz', '%ff', '%00', '%2F', '%C0%AF', '*', ';a=b', '%25', '+', '%20', '__proto__=1', 'page[]=1'])
    for (const target of [path.replace(/[^/]*$/, text), `${path}?${text}`])
      expect((await fixture.world.call(actor, `GET ${target}`)).status).toBeLessThan(500);
});

/** Each field gets one tenth of the values, and the next field the next tenth. `npm run nightly` sends every value to every field. */
const parts = Number(process.env['NAUGHTY_STRINGS_PARTS'] ?? 10);
const part = <Value>(values: readonly Value[], fieldIndex: number) => values.filter((_, index) => (index + fieldIndex) % parts === 0);

test.each(endpoints)('$name responds to naughty values in its fields without a server error', async ({ name, endpoint }) => {
  const valid = await validCall(fixture, name, endpoint);
  const parameters = Object.keys({ ...endpoint.params, ...endpoint.query });
  // A URL contains texts only. Endpoints for files do not exist over tRPC.
  const fields = endpoint.media === 'json' ? [...parameters, ...Object.keys(endpoint.body?.shape ?? {})] : [];
  const sent = [
    ...parameters.map((field) => ({ field, send: rest, values: naughtyStrings as readonly unknown[] })),
    ...fields.map((field) => ({ field, send: trpc, values: naughtyValues })),
  ];
  for (const [index, { field, send, values }] of sent.entries()) {
    const responses = part(values, index).map(async (value) => {
      const attempt = { ...valid, input: { ...valid.input, [field]: value } };
      const { status } = await send(attempt, name, endpoint);
      return { field, value, status };
    });
    expect((await Promise.all(responses)).filter(({ status }) => status >= 500)).toEqual([]);
  }
});

test('more than a tenth of the random requests succeed', () => {
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(statuses.length / 10);
});
