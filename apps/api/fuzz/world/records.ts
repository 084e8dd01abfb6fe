import { newOrganization } from '@profile-service/contracts/examples';
import type { Fixtures } from './fixtures.ts';

/** Creates organizations of the tenant, each with an address, a contact and a file, and grants them to the RESTRICTED member. */
export async function replenish({ call, sql, newTaxId, tenant, admin, restricted }: Fixtures): Promise<void> {
  for (let made = 0; made < 3; made += 1) {
    const contacts = [{ type: 'EMAIL', value: 'contato@example.com', isPrimary: true }];
    const organization = { ...newOrganization({ newTaxId }), contacts };
    const { status, body } = await call<{ id: string }>(tenant.service, 'POST /service/organizations', organization);
    if (status !== 201) throw new Error(`The organization was not created: ${status} ${JSON.stringify(body)}`);
    const form = new FormData();
    form.append('entityId', body.id);
    form.append('file', new File(['%PDF-1.7\n'], 'estatuto.pdf', { type: 'application/pdf' }));
    await call(admin, 'POST /api/attachments', form);
    const grant = 'insert into membership_organizations (user_id, tenant_id, organization_id) values ($1, $2, $3)';
    await sql(grant, [restricted.id, tenant.id, body.id]);
  }
}
