import { endpoints } from '@profile-service/contracts';
import { type Database, newId, type OrganizationScope, scoped, withoutScopedTables } from '@profile-service/db';
import { handlerOf } from '../../src/resources/index.ts';
import { type Calls, file, type Ids } from './calls.ts';

/** Calls the handler of an endpoint once for each input, as a Global user or application with this scope. Returns the results. */
export type Run = (name: string, scope: OrganizationScope, inputs: object[], options?: { commit: boolean }) => Promise<any[]>;

/** Runs handlers without a transport. Writes are rolled back unless `commit` is set. */
export function createRun(database: Database, userId: string): Run {
  const identity = { findByEmail: async () => ({ subject: newId(), needsPassword: true }), sendPasswordMail: async () => undefined };
  const attachmentFiles = { download: (record: unknown) => record, remove: async () => undefined };
  const services = { identity, attachmentFiles, jobs: { add: async () => undefined } };

  return async (name, scope, inputs, { commit } = { commit: false }) => {
    const { endpoint } = endpoints.find((each) => each.name === name)!;
    const tenantId = 'tenantId' in scope ? scope.tenantId : null;
    const caller = {
      kind: endpoint.access.kind === 'service' ? 'service' : 'user',
      userId,
      tenantId,
      isGlobal: true,
      type: 'Global',
      tenant: tenantId && { id: tenantId, persona: 'tenant-admin' },
      refusal: null,
      organizationScope: scope,
      claims: { roles: new Set(), permissions: new Set(), isSuperAdmin: true },
    };
    const on = (db: Database['db']) => ({
      db: withoutScopedTables(db),
      scoped: scoped(db, scope),
      invalidateCallers: () => undefined,
      afterCommit: () => undefined,
    });
    const transaction = async (work: (unit: ReturnType<typeof on>) => Promise<unknown>) => {
      const trx = await database.db.startTransaction().execute();
      try {
        return await work(on(trx));
      } finally {
        await (commit ? trx.commit() : trx.rollback()).execute();
      }
    };
    const handler = handlerOf(endpoint) as unknown as ((context: object) => Promise<unknown>) & { ownsTransaction?: boolean };
    const callAll = async (unit: object, chosen: object[]) => {
      const results = [];
      for (const input of chosen) {
        const call = Promise.resolve(handler({ ...services, caller, transaction, ...unit, input }));
        const describe = (cause: unknown) => new Error(`${name} of ${scope.kind} with ${JSON.stringify(input)}`, { cause });
        results.push(await call.catch((error: unknown) => Promise.reject(describe(error))));
      }
      return results;
    };

    if (handler.ownsTransaction || endpoint.method === 'GET') return callAll(on(database.db), inputs);
    // Updates can follow each other in a transaction, which saves round trips. Many versions of one row in a transaction would make each slower.
    const callsPerTransaction = endpoint.method === 'PUT' ? 32 : 1;
    const results = [];
    for (let start = 0; start < inputs.length; start += callsPerTransaction) {
      const chosen = inputs.slice(start, start + callsPerTransaction);
      results.push(...((await transaction((opened) => callAll(opened, chosen))) as unknown[]));
    }
    return results;
  };
}

/** Creates one record of each kind, and records without references, which can be deleted. */
export async function makeRecords(run: Run, userId: string, calls: Calls): Promise<Ids> {
  const make = async (name: string, input: object, scope: OrganizationScope = { kind: 'all' }) =>
    (await run(name, scope, [input], { commit: true }))[0];
  const customer = (await make('customers.create', calls.customer())).id;
  const app = (await make('apps.create', { name: newId() })).id;
  const tenant = (await make('tenants.create', { customerId: customer, appId: app, name: 'Harvest', active: true })).id;
  await make('states.create', calls.state(35));
  await make('cities.create', calls.city(3550308));
  await make('states.create', calls.state(99));
  await make('cities.create', calls.city(1));
  await make('memberships.assign', { userId, tenantId: tenant, persona: 'viewer' });
  await make('organizationScopes.set', { userId, tenantId: tenant, scope: 'RESTRICTED', organizationIds: [] });
  const own: OrganizationScope = { kind: 'restricted', tenantId: tenant, userId };
  const { id: organization, organizationAddressId: address, federalTaxId } = await make('organizations.create', calls.organization(), own);
  const contact = (await make('organizationContacts.create', { ...calls.contact(), organizationId: organization }, own)).id;
  const attachment = (await make('attachments.create', { file: file(), entityType: 'DOCUMENT', entityId: organization }, own)).id;
  const documentType = (await make('documentTypes.create', calls.documentType())).id;
  const spareCustomer = (await make('customers.create', calls.customer())).id;
  const spareApp = (await make('apps.create', { name: newId() })).id;
  return {
    user: userId,
    customer,
    app,
    tenant,
    organization,
    address,
    federalTaxId,
    contact,
    attachment,
    documentType,
    spareCustomer,
    spareApp,
  };
}
