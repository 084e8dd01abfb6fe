import { clientCredentials, createProfileClient, type ProfileClient } from '@profile-service/client';
import { connect, type ConnectOptions } from '@profile-service/db';
import { demoOrganizations } from './organizations.ts';
import { logIn, tokenUrlOf } from './log-in.ts';
import { type DemoApp, demoGlobal, type DemoPerson, demoPeople, demoTenants } from './people.ts';

const customerTaxId = '11222333000181';

/**
 * Creates the demo data through the API, as the demo Global user. Completes what an interrupted start created. Does not change complete data, except that
 * it creates the demo organizations if the database never had an organization.
 * @param url URL of the service  @param realmUrl realm of the embedded identity provider  @param database the service's database
 */
export async function seedDemoData(url: string, realmUrl: string, database: ConnectOptions): Promise<void> {
  const { users, hasOrganizations } = await readStored(database);
  const organizations = async () => {
    for (const tenant of demoTenants) await seedOrganizations(url, realmUrl, tenant);
  };
  if (isComplete(users)) return hasOrganizations ? undefined : organizations();
  const client = createProfileClient({ url, token: await logIn(realmUrl, demoGlobal.email) });
  const tenants = await seedTenants(client);
  await organizations();
  for (const person of demoPeople) await seedPerson(client, person, tenants, users.get(person.federalTaxId));
}

interface StoredUser {
  id: string;
  isDeleted: boolean;
  /** Number of memberships. */
  memberships: number;
}

/**
 * Reads which demo users the database has, by tax id, and whether it has organizations, each deleted or not. A user's e-mail can change, and the API does
 * not return deleted records.
 */
async function readStored(options: ConnectOptions): Promise<{ users: Map<string, StoredUser>; hasOrganizations: boolean }> {
  const { db, close } = connect({ ...options, max: 1 });
  try {
    const organization = await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst();
    const rows = await db
      .selectFrom('users')
      .leftJoin('memberships', 'memberships.userId', 'users.id')
      .select(({ fn }) => ['users.id', 'federalTaxId', 'deletedAt', fn.count<string>('tenantId').as('memberships')])
      .where(
        'federalTaxId',
        'in',
        demoPeople.map(({ federalTaxId }) => federalTaxId),
      )
      .groupBy('users.id')
      // If a user was deleted and created again, the live one comes last and counts.
      .orderBy('deletedAt')
      .execute();
    const users = rows.map(
      ({ id, federalTaxId, deletedAt, memberships }) =>
        [federalTaxId, { id, isDeleted: deletedAt !== null, memberships: Number(memberships) }] as const,
    );
    return { users: new Map(users), hasOrganizations: organization !== undefined };
  } finally {
    await close();
  }
}

/** Checks the last membership of the last person, which is created last. */
function isComplete(users: Map<string, StoredUser>): boolean {
  const last = demoPeople.at(-1);
  return last !== undefined && (users.get(last.federalTaxId)?.memberships ?? 0) >= Object.keys(last.memberships).length;
}

/** Creates and links the organizations as the tenant's application does: a lookup by tax id links an existing organization to the tenant. */
async function seedOrganizations(url: string, realmUrl: string, tenant: (typeof demoTenants)[number]): Promise<void> {
  const { clientId, clientSecret } = tenant;
  const token = clientCredentials({ tokenUrl: tokenUrlOf(realmUrl), clientId, clientSecret });
  const { organizations } = createProfileClient({ url, token }).service;
  for (const { apps, organization } of demoOrganizations) {
    if (!apps.includes(tenant.app)) continue;
    const { federalTaxId } = organization;
    const { ok, error } = await organizations.findByFederalTaxId.safe({ federalTaxId });
    if (ok) continue;
    if (error.code !== 'ORGANIZATION_NOT_FOUND') throw error;
    await organizations.create.mutate(organization);
  }
}

async function seedTenants(client: ProfileClient): Promise<Record<DemoApp, string>> {
  const all = { limit: 100 };
  const [customers, apps, tenants] = await Promise.all([
    client.customers.list.query(all),
    client.apps.list.query(all),
    client.tenants.list.query(all),
  ]);
  const customer =
    customers.data.find(({ federalTaxId }) => federalTaxId === customerTaxId) ??
    (await client.customers.create.mutate({ federalTaxId: customerTaxId, name: 'Cooperativa Central', email: 'contato@example.com' }));
  const ids: Partial<Record<DemoApp, string>> = {};
  for (const { app: appName, name, clientId } of demoTenants) {
    const app = apps.data.find((known) => known.name === appName) ?? (await client.apps.create.mutate({ name: appName }));
    const tenant =
      tenants.data.find((known) => known.identityClientId === clientId) ??
      (await client.tenants.create.mutate({ customerId: customer.id, appId: app.id, name, identityClientId: clientId }));
    ids[appName] = tenant.id;
  }
  return ids as Record<DemoApp, string>;
}

async function seedPerson(
  client: ProfileClient,
  person: DemoPerson,
  tenants: Record<DemoApp, string>,
  stored: StoredUser | undefined,
): Promise<void> {
  if (stored?.isDeleted) return;
  const { email, name, federalTaxId, type } = person;
  const { id: userId } = stored ?? (await client.users.create.mutate({ email, name, federalTaxId, type }));
  for (const [app, persona] of Object.entries(person.memberships)) {
    await client.memberships.assign.mutate({ userId, tenantId: tenants[app as DemoApp], persona });
  }
}
