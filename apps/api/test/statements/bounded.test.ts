import { endpoints } from '@profile-service/contracts';
import { connect, type Database, newId, notifyCallerInvalidation, type OrganizationScope } from '@profile-service/db';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { calls, type Ids, inputsOf } from './calls.ts';
import { createRun, makeRecords, type Run } from './stage.ts';

/** The only statements that may run unnamed. They have no values. */
const unnamedTexts = ['begin', 'commit', 'rollback'];
const mostTexts = 300;
const leastCalls = 10_000;

let database: Database;
let run: Run;
let ids: Ids;
const unprepared: string[] = [];
const names = new Map<string, string>();
const unnamed = new Set<string>();

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase(), max: 1, onUnprepared: (text) => unprepared.push(text) });
  // Sends the statements of calls that share a transaction without waiting for the results of earlier ones.
  Object.assign(database.pool.options, { pipeline: true });
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
  unprepared.length = 0;
  const query = pg.Client.prototype.query as (...parameters: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...parameters: unknown[]) {
    const [config] = parameters as [{ name?: string; text: string }];
    if (config.name) names.set(config.text, config.name);
    else unnamed.add(config.text);
    return query.apply(this, parameters) as never;
  } as never);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await database.close();
});

/** The endpoints whose statements depend on the caller's scope. */
const scopedEndpoints = /^(organizations|organizationAddresses|organizationContacts|attachments|me)\.|^tenants\.organizations$/;

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
    await database.db.transaction().execute((trx) => notifyCallerInvalidation(trx, { all: true }));

    expect(unprepared).toEqual([]);
    expect([...unnamed].toSorted()).toEqual(unnamedTexts);
    expect(names.size).toBeGreaterThan(100);
    expect(names.size).toBeLessThanOrEqual(mostTexts);
    expect(new Set(names.values()).size).toBe(names.size);
    const { rows } = await database.pool.query<{ name: string; statement: string }>('select name, statement from pg_prepared_statements');
    const prepared = new Map(rows.map(({ name, statement }) => [statement, name]));
    for (const [text, name] of names) expect(prepared.get(text)).toBe(name);
  });
});
