import { type NamedEndpoint, endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service.ts';
import { type Attempt, rest } from '../endpoints/transports.ts';
import { type Place, startPlace } from '../endpoints/place.ts';
import { type Input, sampleOf } from '../endpoints/samples.ts';
import { restrict } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { absentId } from '../support/records.ts';
import { type StatementWatch, watchStatements } from '../support/statements.ts';

/**
 * The time of an answer must not tell a foreign record from one that there is not. No clock can show that it does not;
 * that the service asks the database for the same, by text and by count, can be seen.
 */
let place: Place;
let foreign: Place;
let restricted: Person;
let statements: StatementWatch;
let service: Service;
beforeAll(async () => {
  place = await startPlace();
  const { world, tenant } = place;
  const stranger = await world.person({ [place.foreign.id]: 'tenant-admin' });
  foreign = { ...place, tenant: place.foreign, members: { ...place.members, 'tenant-admin': stranger } };
  restricted = await world.person({ [tenant.id]: 'coordinator' });
  await restrict(world, restricted.id, tenant.id, []);
  statements = await watchStatements(world.databaseUrl);
  service = await world.another({ DATABASE_URL: statements.url, DATABASE_POOL_MAX: '2' });
});
afterAll(async () => {
  await place.world.stop();
  await statements.stop();
});

const scopedModules = ['organizations', 'organization-addresses', 'organization-contacts', 'attachments'];
const makesTheLink = ['service.organizations.link', 'service.organizations.unlink'];

/** The field by which the row names a record of somebody's scope; none where it names none, or where the specification has it ask the whole base. */
function scopedField({ name, endpoint }: NamedEndpoint): string | undefined {
  const fields = Object.keys({ ...endpoint.params, ...endpoint.query, ...endpoint.body?.shape });
  if (makesTheLink.includes(name)) return undefined;
  if (fields.includes('organizationId')) return 'organizationId';
  const isScoped = endpoint.access.kind === 'user' && scopedModules.includes(endpoint.access.module);
  return (isScoped && 'id' in endpoint.params) || name === 'tenants.get' ? 'id' : name === 'tenants.organizations' ? 'tenantId' : undefined;
}
const cases = endpoints.flatMap((named) => {
  const field = scopedField(named);
  return field ? [{ ...named, field }] : [];
});

/** The health check and the mail job ask in their own time. */
const background = /^select 1$|pgboss/;

async function workOf(attempt: Attempt, { name, endpoint }: NamedEndpoint) {
  // So that the caller is in the cache, and nothing of before is counted.
  await rest({ ...attempt, input: { ...attempt.input, [scopedField({ name, endpoint }) ?? '']: 'no id' } }, name, endpoint);
  statements.take();
  const answer = await rest(attempt, name, endpoint);
  return { answer, work: statements.take().filter((text) => !background.test(text)) };
}

test('there are rows of every kind among them', () => {
  expect(cases.length).toBeGreaterThanOrEqual(18);
  expect(new Set(cases.map(({ endpoint }) => endpoint.method))).toEqual(new Set(['GET', 'POST', 'PUT', 'DELETE']));
});

describe('a foreign id is answered like an absent one, and costs the same statements:', () => {
  test.each(cases)('$name by $field', async ({ name, endpoint, field }) => {
    const input: Input = await sampleOf(name)(foreign);
    const id = field === 'organizationId' ? (await sampleOf('organizations.get')(foreign))['id'] : input[field];
    const { tenant, members, world } = place;
    const callers = endpoint.access.kind === 'service' ? [tenant.service] : [members['tenant-admin'], restricted];
    for (const actor of callers) {
      const attempt = { url: service.url, actor, input };
      const ofForeign = await workOf({ ...attempt, input: { ...input, [field]: id } }, { name, endpoint });
      const ofAbsent = await workOf({ ...attempt, input: { ...input, [field]: absentId } }, { name, endpoint });
      expect([403, 404]).toContain(ofForeign.answer.status);
      expect(ofAbsent).toEqual(ofForeign);
    }
    // Somebody who may reach it does find it there.
    const actor = endpoint.access.kind === 'service' ? foreign.tenant.service : world.global;
    const found = await workOf({ url: service.url, actor, input: { ...input, [field]: id } }, { name, endpoint });
    expect(found.answer.status).toBe(endpoint.success);
    expect(found.work).not.toEqual([]);
  });
});
