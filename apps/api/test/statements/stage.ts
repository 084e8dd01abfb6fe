import { endpoints } from '@profile-service/contracts';
import { type Database, newId, type OrganizationScope, scoped, withoutScopedTables } from '@profile-service/db';
import { handlerOf } from '../../src/resources/index.ts';
import { type Calls, file, type Ids } from './calls.ts';

export type Run = (name: string, scope: OrganizationScope, input: object, options?: { commit: boolean }) => Promise<any>;

class Rollback extends Error {}

/** Runs handlers without a transport: each write in a transaction of its own that is rolled back, unless it is to be committed. */
export function createRun(database: Database, userId: string): Run {
  const identity = { findByEmail: async () => ({ subject: newId(), needsPassword: true }), sendPasswordMail: async () => undefined };
  const attachmentFiles = { download: (record: unknown) => record, remove: async () => undefined };
  const services = { identity, attachmentFiles, jobs: { add: async () => undefined } };

  return async (name, scope, input, { commit } = { commit: false }) => {
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
      let result: unknown;
      const ended = database.db.transaction().execute(async (trx) => {
        result = await work(on(trx));
        if (!commit) throw new Rollback();
      });
      await ended.catch((error: unknown) => (error instanceof Rollback ? undefined : Promise.reject(error as Error)));
      return result;
    };
    const handler = handlerOf(endpoint) as unknown as ((context: object) => Promise<unknown>) & { ownsTransaction?: boolean };
    const context = { ...services, input, caller, transaction };
    if (handler.ownsTransaction || endpoint.method === 'GET') return handler({ ...context, ...on(database.db) });
    return transaction((unit) => handler({ ...context, ...unit }));
  };
}

/** Makes one record of each kind, and spare ones that nothing refers to, for the deletions. */
export async function makeRecords(run: Run, userId: string, calls: Calls): Promise<Ids> {
  const make = (name: string, input: object, scope: OrganizationScope = { kind: 'all' }) => run(name, scope, input, { commit: true });
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
