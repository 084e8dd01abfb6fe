import { type NamedEndpoint, endpoints } from '@profile-service/contracts';
import { absentId, exampleOf, type Input } from '@profile-service/contracts/examples';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import type { Fixture } from '../endpoints/fixture.ts';
import { type Attempt, rest } from '../endpoints/send.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { restrict } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { type StatementWatch, watchStatements } from '../support/statements.ts';

/** The response time must not show whether a record belongs to another tenant or does not exist: the service runs the same statements for both. */
const fixture = useFixture();
let foreign: Fixture;
let restricted: Person;
let statements: StatementWatch;
let service: Service;
beforeAll(async () => {
  const { world, tenant } = fixture;
  foreign = { ...fixture, tenant: fixture.foreign };
  restricted = await world.person({ [tenant.id]: 'coordinator' });
  await restrict(world, restricted.id, tenant.id, []);
  statements = await watchStatements(world.databaseUrl);
  service = await world.another({ DATABASE_URL: statements.url, DATABASE_POOL_MAX: '2' });
});
afterAll(() => statements.stop());

const scopedModules = ['organizations', 'organization-addresses', 'organization-contacts', 'attachments', 'webhooks'];
/** An application may call these for an organization of any tenant. */
const unscoped = ['service.organizations.link', 'service.organizations.unlink'];

/** The field with the id of a scoped record; undefined for an endpoint without such a field, and for an unscoped one. */
function scopedField({ name, endpoint }: NamedEndpoint): string | undefined {
  const fields = Object.keys({ ...endpoint.params, ...endpoint.query, ...endpoint.body?.shape });
  if (unscoped.includes(name)) return undefined;
  if (fields.includes('organizationId')) return 'organizationId';
  const isScoped = endpoint.access.kind === 'user' && scopedModules.includes(endpoint.access.module);
  return (isScoped && 'id' in endpoint.params) || name === 'tenants.get' ? 'id' : name === 'tenants.organizations' ? 'tenantId' : undefined;
}
const cases = endpoints.flatMap((named) => {
  const field = scopedField(named);
  return field ? [{ ...named, field }] : [];
});

/** Statements of the health check and the job queue. */
const background = /^select (1|version\(\))$|pgboss/i;

/** The response of a call, and the SQL statements that it ran. */
async function workOf(attempt: Attempt, { name, endpoint }: NamedEndpoint) {
  // Fill the caller cache, and discard earlier statements.
  await rest({ ...attempt, input: { ...attempt.input, [scopedField({ name, endpoint }) ?? '']: 'no id' } }, name, endpoint);
  statements.take();
  const answer = await rest(attempt, name, endpoint);
  return { answer, work: statements.take().filter((text) => !background.test(text)) };
}

test('the tested endpoints include every method', () => {
  expect(cases.length).toBeGreaterThanOrEqual(18);
  expect(new Set(cases.map(({ endpoint }) => endpoint.method))).toEqual(new Set(['GET', 'POST', 'PUT', 'DELETE']));
});

describe('a foreign id gets the same response as an absent one, with the same SQL statements:', () => {
  test.each(cases)('$name by $field', async ({ name, endpoint, field }) => {
    const input: Input = await exampleOf(name).valid(foreign);
    const id = field === 'organizationId' ? (await exampleOf('organizations.get').valid(foreign))['id'] : input[field];
    const { tenant, members, world } = fixture;
    const callers = endpoint.access.kind === 'service' ? [tenant.service] : [members['tenant-admin'], restricted];
    for (const actor of callers) {
      const workFor = (value: unknown) => workOf({ url: service.url, actor, input: { ...input, [field]: value } }, { name, endpoint });
      // A statement of the background, such as that of a new connection, can come between. A real difference is in every attempt.
      await vi.waitFor(async () => {
        const [ofForeign, ofAbsent] = [await workFor(id), await workFor(absentId)];
        expect([403, 404]).toContain(ofForeign.answer.status);
        expect(ofAbsent).toEqual(ofForeign);
      }, 10_000);
    }
    // A caller who has the record in their scope gets it.
    const actor = endpoint.access.kind === 'service' ? foreign.tenant.service : world.global;
    const found = await workOf({ url: service.url, actor, input: { ...input, [field]: id } }, { name, endpoint });
    expect(found.answer.status).toBe(endpoint.success);
    expect(found.work).not.toEqual([]);
  });
});
