import { randomUUID } from 'node:crypto';
import { newId } from '@profile-service/db';
import type { IdentityProvider } from '@profile-service/local-stack';
import type pg from 'pg';

/** A member of one tenant, with what their reads need. */
export interface Reader {
  bearer: string;
  organizationIds: string[];
}

const day = 24 * 60 * 60;
const tenants = 100;
const organizationsOfEach = 100;

/** 100 tenants with 100 organizations and one member each. */
export async function plantReaders(client: pg.Client, identity: IdentityProvider): Promise<Reader[]> {
  const [customerId, appId] = [newId(), newId()];
  await client.query("insert into customers (id, federal_tax_id, name) values ($1, '00000000000001', 'Central')", [customerId]);
  await client.query("insert into apps (id, name) values ($1, 'Harvest')", [appId]);
  const readers: Reader[] = [];
  for (let place = 1; place <= tenants; place += 1) readers.push(await plantTenant(client, identity, { place, customerId, appId }));
  await client.query('vacuum analyze');
  return readers;
}

async function plantTenant(
  client: pg.Client,
  identity: IdentityProvider,
  { place, customerId, appId }: { place: number; customerId: string; appId: string },
): Promise<Reader> {
  const [tenantId, userId, sub] = [newId(), newId(), randomUUID()];
  const organizationIds = Array.from({ length: organizationsOfEach }, newId);
  const taxIds = organizationIds.map((_, index) => String(place * organizationsOfEach + index).padStart(14, '0'));
  const metadata = JSON.stringify({ region: 'Sudeste', members: 1200 });
  await client.query("insert into tenants (id, customer_id, app_id, name) values ($1, $2, $3, 'Tenant')", [tenantId, customerId, appId]);
  await client.query(
    `insert into users (id, id_identity, name, email, federal_tax_id, type) values ($1, $2, 'Ana', $3 || '@example.com', $3, 'Technician')`,
    [userId, sub, String(place).padStart(11, '0')],
  );
  await client.query("insert into memberships (user_id, tenant_id, persona) values ($1, $2, 'technician')", [userId, tenantId]);
  await client.query(
    `insert into organizations (id, name, alias, federal_tax_id, metadata)
     select id, 'Cooperativa Vale Verde ' || tax_id, 'Vale Verde', tax_id, $3::jsonb from unnest($1::uuid[], $2::text[]) as one (id, tax_id)`,
    [organizationIds, taxIds, metadata],
  );
  await client.query('insert into organization_tenants (tenant_id, organization_id) select $1, unnest($2::uuid[])', [
    tenantId,
    organizationIds,
  ]);
  return { bearer: await identity.sign({ sub, azp: 'web', sid: randomUUID() }, { expiresIn: day }), organizationIds };
}
