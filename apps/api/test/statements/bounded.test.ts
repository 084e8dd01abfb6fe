import { endpoints } from '@profile-service/contracts';
import type { Input } from '@profile-service/contracts/examples';
import { callerInvalidationNotices, connect, type Database, type OrganizationScope } from '@profile-service/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fixture } from '../endpoints/fixture-types.ts';
import { startFixture } from '../endpoints/fixture.ts';
import { restrict } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { type StatementWatch, watchStatements } from '../support/statements.ts';
import { inputsOf } from './inputs.ts';
import { createRun } from './stage.ts';

const mostTexts = 300;
const leastCalls = 10_000;

/** Commands that have no plan. */
const isCommand = /^(begin|commit|rollback|(begin; )?set local [a-z_ =;]+)$/;

let fixture: Fixture;
let watch: StatementWatch;
/** Has one connection, which prepares every statement. */
let database: Database;
/** A member of the tenant whose membership is RESTRICTED. */
let member: Person;

beforeAll(async () => {
  fixture = await startFixture();
  watch = await watchStatements(fixture.world.databaseUrl);
  database = connect({ connectionString: watch.url, max: 1 });
  member = await fixture.world.person({ [fixture.tenant.id]: 'coordinator' });
});
afterAll(async () => {
  await database.close();
  await Promise.all([watch.stop(), fixture.world.stop()]);
});

/** The endpoints whose statements depend on the caller's scope. */
const scopedEndpoints =
  /^(organizations|organizationAddresses|organizationContacts|attachments|auditEntries|me)\.|^tenants\.organizations$/;

function scopesOf(name: string): OrganizationScope[] {
  const tenant: OrganizationScope = { kind: 'tenant', tenantId: fixture.tenant.id };
  if (name.startsWith('service.')) return [tenant];
  const restricted: OrganizationScope = { kind: 'restricted', tenantId: fixture.tenant.id, userId: member.id };
  return scopedEndpoints.test(name) ? [{ kind: 'all' }, tenant, restricted] : [{ kind: 'all' }];
}

/** Lets the restricted member see every organization and attachment of the tenant. */
async function grantAll(): Promise<void> {
  const { world, tenant } = fixture;
  const links = await world.sql<{ id: string }>('select organization_id as id from organization_tenants where tenant_id = $1', [tenant.id]);
  await restrict(
    world,
    member.id,
    tenant.id,
    links.map(({ id }) => id),
  );
  await world.sql('update attachments set entity_id = $1 where tenant_id = $2', [links[0]?.id, tenant.id]);
}

describe('10,000 different calls', () => {
  test(`run at most ${mostTexts} texts of SQL, each prepared under its own name`, { timeout: 600_000 }, async () => {
    const run = createRun(database, member.id);
    const inputs = new Map<string, Input[]>();
    for (const { name } of endpoints) inputs.set(name, await inputsOf(name, fixture));
    await grantAll();
    watch.take();
    let count = 0;
    while (count < leastCalls) {
      for (const [name, all] of inputs) for (const scope of scopesOf(name)) count += (await run(name, scope, all)).length;
    }
    await database.transaction(async (executor) => executor.beforeCommit(() => callerInvalidationNotices({ all: true })));

    expect(watch.takeUnnamed().filter((text) => !isCommand.test(text))).toEqual([]);
    const { rows } = await database.pool.query<{ name: string; statement: string }>('select name, statement from pg_prepared_statements');
    const texts = new Set(rows.map(({ statement }) => statement));
    expect(texts.size).toBeGreaterThan(100);
    expect(texts.size).toBeLessThanOrEqual(mostTexts);
    expect(rows).toHaveLength(texts.size);
  });
});
