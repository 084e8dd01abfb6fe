import { setTimeout as pause } from 'node:timers/promises';
import type { Persona } from '@profile-service/contracts';
import { createProfileClient } from '@profile-service/client';

export interface Member {
  id: string;
  subject: string;
}

/** The users and tenants that exist during the whole run. */
export interface People {
  /** The tenant of the members. */
  tenantId: string;
  /** Another tenant. */
  foreignTenantId: string;
  tenantClient: string;
  globalId: string;
  admin: Member;
  viewer: Member;
  /** A coordinator with a RESTRICTED membership. */
  restricted: Member;
}

/** On a busy machine the first attempt of the start to create the Global user can time out. The service tries again after 10 seconds. */
async function untilCreated<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === 60) throw error;
      await pause(1_000);
    }
  }
}

/** Creates the users and tenants through the service. @param token of a Global user */
export async function makePeople(url: string, token: string): Promise<People> {
  const client = createProfileClient({ url, token: () => token });
  const { userId: globalId } = await untilCreated(() => client.me.permissions.query());
  const customer = await client.customers.create.mutate({ federalTaxId: '11222333000181', name: 'Cooperativa Central' });
  const app = await client.apps.create.mutate({ name: 'Harvest' });
  const tenant = async (identityClientId: string): Promise<string> => {
    const data = { customerId: customer.id, appId: app.id, name: identityClientId, identityClientId };
    return (await client.tenants.create.mutate(data)).id;
  };
  const tenantClient = 'harvest';
  const [tenantId, foreignTenantId] = [await tenant(tenantClient), await tenant('foreign')];
  const member = async (name: string, federalTaxId: string, persona: Persona): Promise<Member> => {
    const data = { name, email: `${name.toLowerCase()}@example.com`, federalTaxId, type: 'Technician' } as const;
    const { id, idIdentity } = await client.users.create.mutate(data);
    await client.memberships.assign.mutate({ userId: id, tenantId, persona });
    return { id, subject: idIdentity };
  };
  const people = {
    tenantId,
    foreignTenantId,
    tenantClient,
    globalId,
    admin: await member('Ada', '11144477735', 'tenant-admin'),
    viewer: await member('Vera', '86288366757', 'viewer'),
    restricted: await member('Rita', '15350946056', 'coordinator'),
  };
  // The Global user can then also select a tenant.
  await client.memberships.assign.mutate({ userId: globalId, tenantId, persona: 'viewer' });
  await client.organizationScopes.set.mutate({ userId: people.restricted.id, tenantId, scope: 'RESTRICTED', organizationIds: [] });
  return people;
}
