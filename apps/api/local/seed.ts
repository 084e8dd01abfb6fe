import { clientCredentials, createProfileClient, type ProfileClient } from '@profile-service/client';
import { connect, type ConnectOptions } from '@profile-service/db';
import { demoOrganizations } from './organizations.ts';
import { type DemoApp, demoGlobal, type DemoPerson, demoPassword, demoPeople, demoTenants } from './people.ts';

const customerTaxId = '11222333000181';

/**
 * Creates the demo data through the API, as the demo Global user. Completes what an interrupted start created. Does not change complete data, except that
 * it creates the demo organizations if the database never had an organization.
 * @param url URL of the service  @param realmUrl realm of the embedded identity provider  @param database the service's database
 */
export async function seedDemoData(url: string, realmUrl: string, database: ConnectOptions): Promise<void> {
  const token = await logIn(realmUrl, demoGlobal.email);
  const client = createProfileClient({ url, token });
  const organizations = async () => {
    for (const tenant of demoTenants) await seedOrganizations(url, realmUrl, tenant);
  };
  if (await isComplete(client)) return (await hasKnownOrganizations(database)) ? undefined : organizations();
  const tenants = await seedTenants(client);
  await organizations();
  for (const person of demoPeople) await seedPerson(client, person, tenants);
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

async function seedPerson(client: ProfileClient, person: DemoPerson, tenants: Record<DemoApp, string>): Promise<void> {
  const { email, name, federalTaxId, type } = person;
  const user = (await findUser(client, email)) ?? (await client.users.create.mutate({ email, name, federalTaxId, type }));
  for (const [app, persona] of Object.entries(person.memberships)) {
    await client.memberships.assign.mutate({ userId: user.id, tenantId: tenants[app as DemoApp], persona });
  }
}

/** Checks the last membership of the last person, which is created last. */
async function isComplete(client: ProfileClient): Promise<boolean> {
  const last = demoPeople.at(-1);
  const user = last && (await findUser(client, last.email));
  if (!user) return false;
  const { data } = await client.memberships.list.query({ userId: user.id });
  return data.length >= Object.keys(last.memberships).length;
}

/** Whether the database has an organization, deleted or not. Queries the database because the API does not return deleted ones. */
async function hasKnownOrganizations(options: ConnectOptions): Promise<boolean> {
  const { db, close } = connect({ ...options, max: 1 });
  try {
    return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined;
  } finally {
    await close();
  }
}

async function findUser(client: ProfileClient, email: string): Promise<{ id: string } | undefined> {
  const { data } = await client.users.list.query({ email });
  return data.find((user) => user.email === email);
}

const tokenUrlOf = (realmUrl: string): string => `${realmUrl}/protocol/openid-connect/token`;

/** Returns an access token of a demo user. */
async function logIn(realmUrl: string, username: string): Promise<string> {
  const grant = { grant_type: 'password', client_id: 'web', username, password: demoPassword };
  const response = await fetch(tokenUrlOf(realmUrl), { method: 'POST', body: new URLSearchParams(grant) });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (!token) throw new Error(`The embedded identity provider issued no token (status ${response.status})`);
  return token;
}
