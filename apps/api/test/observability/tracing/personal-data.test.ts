import { endpoints } from '@profile-service/contracts';
import { beforeAll, expect, test } from 'vitest';
import { validCall } from '../../endpoints/calls.ts';
import { useFixture } from '../../endpoints/fixture.ts';
import { rest, trpc } from '../../endpoints/send.ts';
import { createApi } from '../../support/api.ts';
import { useCollector } from '../../support/collector.ts';

const fixture = useFixture();
const collector = useCollector();
let url: string;
beforeAll(async () => {
  ({ url } = await fixture.world.another(collector.settings));
});

/** Every text and number in a value, at any depth. Names of fields do not count. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [];
}

const procedures = new Set(endpoints.map(({ name }) => name));

/** Values that tell nothing about a record or a person: short ones, and the names of error codes, types, fields and procedures. */
const isName = (text: string) => text.length < 4 || /^[A-Z][A-Z_]+$|^[a-z][A-Za-z]*$/.test(text) || procedures.has(text);

const isText = (value: unknown) => typeof value === 'string';

/** All texts that the service has exported, besides ids of spans and of the instance: random digits can equal the code of a city. */
const exportedTexts = () =>
  collector.spans
    .flatMap(({ name, attributes, resource, events, status }) => [
      name,
      status.message,
      ...Object.values({ ...attributes, ...resource, 'service.instance.id': undefined }),
      ...events.flatMap((event) => [event.name, ...event.attributes.map(({ value }) => value.stringValue)]),
    ])
    .filter(isText)
    .join('\n');

test.each(endpoints)('the traces of $name contain none of the values sent and received', async ({ name, endpoint }) => {
  const sent: unknown[] = [];
  for (const transport of endpoint.media === 'json' ? [rest, trpc] : [rest]) {
    const attempt = { ...(await validCall(fixture, name, endpoint)), url, requestId: 'request-id-of-the-client' };
    const { data } = await transport(attempt, name, endpoint);
    sent.push(attempt.input, attempt.actor, attempt.requestId, data);
  }
  const isRead = endpoint.method === 'GET';
  await collector.trace(endpoint.media === 'json' ? `${isRead ? 'GET' : 'POST'} /trpc/${name}` : `${endpoint.method} ${endpoint.path}`);
  const values = [...new Set(valuesIn(sent))].filter((value) => !isName(value));
  expect(values.length).toBeGreaterThan(0);
  const texts = exportedTexts();
  expect(values.filter((value) => texts.includes(value))).toEqual([]);
});

test('the only numbers in traces are status codes, ports and waiting times', () => {
  const numbers = collector.spans.flatMap(({ attributes, events }) => [
    ...Object.entries(attributes).flatMap(([key, value]) => (isText(value) ? [] : key)),
    ...events.flatMap((event) => event.attributes.flatMap(({ key, value }) => (value.stringValue === undefined ? key : []))),
  ]);
  expect(new Set(numbers)).toEqual(new Set(['http.response.status_code', 'server.port', 'profile.wait_ms']));
});

/** A value that no trace may contain. */
const forged = 'forged@example.com';

test('rejected requests, violated constraints and unexpected errors leave no value in the traces', async () => {
  const { world, members } = fixture;
  const { call } = createApi(url, { mayFail: true });
  for (const path of ['/api/users/', '/api/users?page=', '/', '/trpc/', '/trpc/users.get?input='])
    await call(world.global, `GET ${path}${forged}`);
  const names = ['user-agent', 'referer', 'x-request-id', 'x-forwarded-for', 'x-tenant-id', 'origin', 'cookie', 'authorization'];
  for (const name of [...names, 'tracestate', 'baggage', 'traceparent'])
    await call(members.viewer, 'GET /api/users', undefined, { [name]: forged });
  const body = { ...world.newPerson(), name: forged, email: `${forged}${forged}`, federalTaxId: forged };
  for (const target of ['POST /api/users', 'POST /trpc/users.create']) await call(world.global, target, body);
  const token = await world.tokenOf({ sub: forged, azp: forged, claims: { preferred_username: forged } });
  await call({ token }, 'GET /api/customers');
  for (const _ of [1, 2]) await call(world.global, 'POST /api/document-types', { name: forged });
  await world.sql(`alter table apps add constraint no_forged check (name <> '${forged}')`);
  expect((await call(world.global, 'POST /api/apps', { name: forged })).status).toBe(500);
  await expect.poll(exportedTexts).toContain('INTERNAL_ERROR');
  const request = collector.spans.find(({ attributes }) => attributes['error.type'] === 'INTERNAL_ERROR');
  expect(request).toMatchObject({ name: 'POST /api/apps', status: { code: 2 } });
  expect(exportedTexts()).toContain('23514');
  expect(exportedTexts()).not.toContain('forged');
});
