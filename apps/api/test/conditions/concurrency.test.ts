import { newOrganization } from '@profile-service/contracts/examples';
import { beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { validCall } from '../endpoints/calls.ts';
import type { Input } from '@profile-service/contracts/examples';
import { useFixture } from '../endpoints/fixture.ts';
import type { Result } from '../endpoints/send.ts';
import { createApi, outcome } from '../support/api.ts';
import { organizationOf } from '../support/organizations.ts';
import { newRecord, otherValues, overEachTransport, read, removals, updates, versionOf } from './versioned.ts';

/** Conditional writes of one record at the same time. */
const fixture = useFixture();
/** An instance where a deadlock never ends by itself: a test that causes one fails. */
let patient: Service;
beforeAll(async () => {
  const [found] = await fixture.world.sql<{ name: string }>('select current_database() as name');
  await fixture.world.sql(`alter database "${found!.name}" set deadlock_timeout = '5min'`);
  patient = await fixture.world.another({ DATABASE_POOL_MAX: '20' });
});

const writers = 10;
const simultaneous = (write: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
const statusesOf = (results: readonly { status: number }[]) => results.map(({ status }) => status).toSorted((a, b) => a - b);
const oneWins = (success: number, refused: number) => [success, ...Array.from({ length: writers - 1 }, () => refused)];

test.each(overEachTransport(updates))('of ten PUTs of $name with one version over $transport one succeeds', async (update) => {
  const { name, endpoint, type, call, transport } = update;
  const attempt = await validCall(fixture, name, endpoint);
  const { key, etag } = await newRecord(fixture, update);
  const inputs: Input[] = [];
  for (let index = 0; index < writers; index += 1) inputs.push({ ...attempt.input, ...(await otherValues(fixture, type)), ...key });
  const send = (index: number) => call({ ...attempt, url: patient.url, input: inputs[index]!, ifMatch: etag }, name, endpoint);
  const results = await simultaneous(send);
  expect(statusesOf(results)).toEqual(oneWins(transport === 'REST' ? endpoint.success : 200, 412));
  const [before, after] = [versionOf({ etag }), versionOf(await read(fixture, type, key))];
  expect(after).toBeGreaterThan(before);
});

test.each(overEachTransport(removals))('of ten DELETEs of $name with one version over $transport one succeeds', async (removal) => {
  const { name, endpoint, call, transport } = removal;
  const { key, etag } = await newRecord(fixture, removal);
  const attempt = { ...(await validCall(fixture, name, endpoint)), url: patient.url, input: key, ifMatch: etag };
  // The record of the others is absent.
  expect(statusesOf(await simultaneous(() => call(attempt, name, endpoint)))).toEqual(
    oneWins(transport === 'REST' ? endpoint.success : 200, 404),
  );
});

test('a scope is set while its RESTRICTED member creates organizations and other requests change both', async () => {
  const { world, tenant } = fixture;
  const api = createApi(patient.url);
  const call = (target: string, body: unknown, ifMatch?: string) =>
    api.call(world.global, target, body, ifMatch === undefined ? {} : { 'if-match': ifMatch });
  const expected: unknown[] = [200, 201, 204, 'PRECONDITION_FAILED', 'ORGANIZATION_NOT_LINKED_TO_TENANT'];
  for (let round = 0; round < 10; round += 1) {
    const member = await world.person({ [tenant.id]: 'coordinator' }, { roles: ['organizations:create'] });
    const path = `/api/users/${member.id}/tenants/${tenant.id}/organizations`;
    await call(`PUT ${path}`, { scope: 'RESTRICTED', organizationIds: [] });
    const granted = await organizationOf(world, tenant);
    const etag = (await api.call(world.global, `GET ${path}`)).headers.get('etag') ?? '';
    const scope = { scope: 'RESTRICTED', organizationIds: [granted.id] };
    const bodies = Array.from({ length: 4 }, () => newOrganization(world));
    const results = await Promise.all(
      bodies.flatMap((body) => [
        api.call(member, 'POST /api/organizations', body),
        call(`PUT ${path}`, scope, etag),
        call(`PUT ${path}`, scope, '*'),
        call(`POST /api/users/${member.id}/tenants`, { tenantId: tenant.id, persona: 'coordinator' }),
        call(`PUT /api/users/${member.id}`, { jobTitle: body.federalTaxId }, '*'),
        world.call(tenant.service, `DELETE /service/organizations/${granted.id}/tenants`),
      ]),
    );
    expect(results.map(outcome).filter((one) => !expected.includes(one))).toEqual([]);
  }
});
