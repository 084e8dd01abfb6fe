import { createProfileClient } from '@profile-service/client';
import type pg from 'pg';
import { applicationToken, type Sign } from './callers.ts';
import type { People } from './people.ts';
import { place } from './place.ts';

let serial = 0;

/** Creates organizations of the tenant, each with an address, a contact and a file, and grants them to the RESTRICTED member. */
export async function replenish(url: string, sign: Sign, pool: pg.Pool, people: People): Promise<void> {
  const { tenantId, admin, restricted } = people;
  const application = await applicationToken(sign, people);
  const adminToken = await sign({ sub: admin.subject, azp: 'web', sid: 'replenish' });
  const asApplication = createProfileClient({ url, token: () => application });
  const asAdmin = createProfileClient({ url, token: () => adminToken });
  for (let made = 0; made < 3; made += 1) {
    serial += 1;
    const { id } = await asApplication.service.organizations.create.mutate({
      name: `Cooperativa ${serial}`,
      federalTaxId: String(30_000_000_000_000 + serial),
      address: { zipCode: '01001000', street: 'Praça da Sé', number: '1', ...place },
      contacts: [{ type: 'EMAIL', value: 'contato@example.com', isPrimary: true }],
    });
    await asAdmin.attachments.upload(new File(['%PDF-1.7\n'], 'estatuto.pdf', { type: 'application/pdf' }), { entityId: id });
    const grant = 'insert into membership_organizations (user_id, tenant_id, organization_id) values ($1, $2, $3)';
    await pool.query(grant, [restricted.id, tenantId, id]);
  }
}
