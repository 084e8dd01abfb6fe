import { connect, migrate, newId } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import { startFastPostgres } from '../../../test/fast-postgres.ts';
import { freePort } from '../../../test/free-port.ts';
import { startProxy } from '../../../test/proxy.ts';
import { withoutLimits } from '../../../test/without-limits.ts';
import { startInstances } from '../faults/environment/instances.ts';
import { requestOf, sendTo } from '../test/support/call.ts';
import { createPeople } from '../test/support/people.ts';
import { startProcess } from '../test/support/process.ts';
import { createTestWorld } from '../test/support/test-world.ts';
import { record } from './record.ts';

/** Two instances of the service, whose connections to the database lead through a proxy, and two tenants. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** How many organizations the writers on connections change: of the first tenant, of the second, of both, and of none. */
const organizationCounts = [30, 30, 30, 300];

export async function startEnvironment() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.adopt(await startFastPostgres('events', { max_wal_size: '512MB' }), (part) => part.stop());
  await migrate(postgres.url);
  await loadGeography(postgres.url);
  const proxy = stack.adopt(await startProxy(postgres.url), (part) => part.stop());
  const world = stack.adopt(await createTestWorld({ databaseUrl: postgres.url, settings: withoutLimits }), (part) => part.stop());
  const people = await createPeople(
    (actor, target, body) => sendTo(world.service.url, target, requestOf(actor, body)),
    world.sign,
    world.globalSubject,
  );
  const tenants = [await createCustomer(people), await createCustomer(people)] as const;
  const organizations = await createOrganizations(
    postgres.url,
    people.newTaxId,
    tenants.map(({ id }) => id),
  );
  const { service, environment, sql } = world;
  await service.stop();
  const settings = { ...environment, DATABASE_URL: proxy.url };
  const startService = (extra: Record<string, string>) => startProcess({ ...settings, ...extra });
  const instances = stack.adopt(await startInstances(startService, [await freePort(), await freePort()]), (part) => part.stop());
  const disposables = stack.move();
  return {
    /** The address that does not lead through the proxy. */
    databaseUrl: postgres.url,
    proxy,
    sql,
    instances,
    people,
    tenants,
    /** Ids of the organizations that the writers on connections change. */
    organizations,
    stop: () => disposables.disposeAsync(),
  };
}

/** A tenant with tokens of a tenant-admin, of its application and of a member. */
async function createCustomer(people: Awaited<ReturnType<typeof createPeople>>) {
  const { id, service } = await people.tenant();
  const [admin, member] = [await people.person({ [id]: 'tenant-admin' }), await people.person()];
  return { id, admin: admin.token, application: service.token, member };
}

/** Creates the organizations, which stay linked. Returns their ids. */
async function createOrganizations(databaseUrl: string, newTaxId: () => string, [one, other]: string[]): Promise<string[]> {
  const database = connect({ connectionString: databaseUrl, max: 1 });
  const create = (recordId: string, owners: (string | undefined)[]) =>
    database.transaction(async (transaction) => {
      transaction.beforeCommit(() => [record('organization.created', recordId)]);
      await transaction.query("insert into organizations (id, name, federal_tax_id) values ($1, 'Counted', $2)", [recordId, newTaxId()]);
      const link = 'insert into organization_tenants (tenant_id, organization_id) values ($1, $2)';
      for (const owner of owners) await transaction.query(link, [owner, recordId]);
    });
  const ids: string[] = [];
  try {
    for (const [place, owners] of [[one], [other], [one, other], []].entries())
      for (let count = 0; count < (organizationCounts[place] ?? 0); count += 1) {
        const id = newId();
        await create(id, owners);
        ids.push(id);
      }
  } finally {
    await database.close();
  }
  return ids;
}
