import { endpoints } from '@profile-service/contracts';
import { callerInvalidationNotices, connect, type Database, newId, type OrganizationScope } from '@profile-service/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { type StatementWatch, watchStatements } from '../support/statements.ts';
import { calls, type Ids, inputsOf } from './calls.ts';
import { createRun, makeRecords, type Run } from './stage.ts';

const mostTexts = 300;
const leastCalls = 10_000;

/** Commands that have no plan. */
const isCommand = /^(begin|commit|rollback|(begin; )?set local [a-z_ =;]+)$/;

let watch: StatementWatch;
/** Has one connection, which prepares every statement. */
let database: Database;
let run: Run;
let ids: Ids;

beforeAll(async () => {
  watch = await watchStatements(await createTestDatabase());
  database = connect({ connectionString: watch.url, max: 1 });
  const userId = newId();
  const user = {
    id: userId,
    idIdentity: userId,
    name: 'Ana',
    email: 'ana@example.com',
    federalTaxId: '52998224725',
    type: 'Technician' as const,
  };
  await database.db.insertInto('users').values(user).execute();
  run = createRun(database, userId);
  ids = await makeRecords(run, userId, calls);
  watch.take();
});
afterAll(async () => {
  await database.close();
  await watch.stop();
});

/** The endpoints whose statements depend on the caller's scope. */
const scopedEndpoints =
  /^(organizations|organizationAddresses|organizationContacts|attachments|auditEntries|me)\.|^tenants\.organizations$/;

function scopesOf(name: string): OrganizationScope[] {
  const tenant: OrganizationScope = { kind: 'tenant', tenantId: ids.tenant };
  if (name.startsWith('service.')) return [tenant];
  const restricted: OrganizationScope = { kind: 'restricted', tenantId: ids.tenant, userId: ids.user };
  return scopedEndpoints.test(name) ? [{ kind: 'all' }, tenant, restricted] : [{ kind: 'all' }];
}

describe('10,000 different calls', () => {
  test(`run at most ${mostTexts} texts of SQL, each prepared under its own name`, { timeout: 600_000 }, async () => {
    const inputs = inputsOf(ids);
    expect(Object.keys(inputs)).toEqual(endpoints.map(({ name }) => name));
    let count = 0;
    while (count < leastCalls) {
      for (const [name, make] of Object.entries(inputs))
        for (const scope of scopesOf(name)) count += (await run(name, scope, make())).length;
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
