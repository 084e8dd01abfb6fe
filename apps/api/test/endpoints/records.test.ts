import { endpoints, type NamedEndpoint } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { validCall } from './calls.ts';
import type { Input } from '@profile-service/contracts/examples';
import { useFixture } from './fixture.ts';
import { rest } from './send.ts';

/** What all endpoints that change or delete a record by its id have in common. */
const fixture = useFixture();

const send = async ({ name, endpoint }: NamedEndpoint, input: Input) =>
  rest({ ...(await validCall(fixture, name, endpoint)), input }, name, endpoint);
const byId = ({ endpoint }: NamedEndpoint) => endpoint.path.endsWith('}') && Object.keys(endpoint.params).length === 1;
const updates = endpoints.filter((named) => named.endpoint.method === 'PUT' && byId(named));
const removals = endpoints.filter((named) => named.endpoint.success === 204 && byId(named));

/** The input that names a new record, and only that. */
async function newRecord({ name, endpoint }: NamedEndpoint): Promise<Input> {
  const { input } = await validCall(fixture, name, endpoint);
  return Object.fromEntries(Object.entries(input).filter(([field]) => field in endpoint.params));
}
/** The key of no record. */
const absentKey = ({ endpoint }: NamedEndpoint): Input => {
  const [key = ''] = Object.keys(endpoint.params);
  return { [key]: key === 'id' ? absentId : 99 };
};
const withoutTime = (record: unknown) => ({ ...(record as object), updatedAt: undefined });

describe.each(updates)('$endpoint.method $endpoint.path', (named) => {
  // Rules: INPUT-4, INPUT-5
  test('changes nothing with an empty body', async () => {
    const id = await newRecord(named);
    const first = await send(named, id);
    expect(first.status).toBe(200);
    expect(await send(named, id)).toMatchObject({ status: 200, data: first.data });
  });

  // Rules: INPUT-4, ORGANIZATIONS-12, USERS-4
  test('accepts the record that it returned, and ignores other values of read-only fields', async () => {
    const id = await newRecord(named);
    const { data } = await send(named, id);
    const ignored = { idIdentity: 7, createdAt: 'now', deletedAt: 'now', validFrom: 'now', validTo: 'now', unknown: [null] };
    const again = await send(named, { ...(data as object), ...ignored, ...id });
    expect(again.status).toBe(200);
    expect(withoutTime(again.data)).toEqual(withoutTime(data));
  });

  // Rules: ADDRESSES-17, APPS-8, ATTACHMENTS-19, CITIES-3, CITIES-11, CONTACTS-13, CUSTOMERS-10, DOCTYPES-11, MEMBERS-5, MEMBERSCOPES-10
  // Rules: SCOPE-3, STATES-2, STATES-9, TENANTS-9, USERS-17, USERS-19, USERS-23
  test('returns 404 for an unknown id, also with an empty body', async () => {
    expect((await send(named, absentKey(named))).status).toBe(404);
  });
});

test.each(removals)('one of five simultaneous calls of $name deletes the record, and the others get 404', async (named) => {
  const id = await newRecord(named);
  const responses = await Promise.all(Array.from({ length: 5 }, () => send(named, id)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404]);
});
