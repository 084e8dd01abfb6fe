import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { pdf, upload } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkedOrganization } from '../support/organizations.ts';
import type { DocumentPage } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'tenant-admin');
let organization: string;
let other: string;
beforeAll(async () => {
  organization = await linkedOrganization(world, tenant.id);
  other = await linkedOrganization(world, tenant.id);
});

const list = (query = '', actor: { token: string } = tenant.service) => world.call<DocumentPage>(actor, `GET /service/documents?${query}`);
const names = async (query = '', actor = tenant.service) =>
  (await list(query, actor)).body.data.map(({ originalFilename }) => originalFilename);

describe('GET /service/documents', () => {
  // Rules: DOCUMENTS-1
  test("lists only attachments of type DOCUMENT of the tenant's organizations", async () => {
    const { body: statute } = await upload(world, member, { entityId: organization, description: 'Estatuto' }, pdf('statute.pdf', 4321));
    await upload(world, member, { entityId: organization, entityType: 'ORGANIZATION' }, pdf('logo.pdf'));
    await upload(world, member, {}, pdf('without organization.pdf'));
    await upload(world, member, { entityId: absentId }, pdf('unknown organization.pdf'));
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: statute.id,
          organizationId: organization,
          originalFilename: 'statute.pdf',
          description: 'Estatuto',
          external: false,
          contentType: 'application/pdf',
          size: 4321,
          createdAt: statute.createdAt,
          updatedAt: statute.updatedAt,
        },
      ],
      total: 1,
      totalPages: 1,
      currentPage: 1,
    });
  });

  // Rules: DOCUMENTS-1
  test('lists the documents for another tenant after the organization is linked to it', async () => {
    const stranger = await world.tenant();
    expect(await names('', stranger.service)).toEqual([]);
    expect((await list(`organizationId=${organization}`, stranger.service)).code).toBe('NOT_ALLOWED_ORGANIZATION');
    await world.call(stranger.service, `POST /service/organizations/${organization}/tenants`);
    expect(await names('', stranger.service)).toEqual(['statute.pdf']);
  });

  // Rules: DOCUMENTS-2
  test('filters by organization and by creation time, newest first, and treats a date as the whole day in UTC', async () => {
    for (const name of ['1.pdf', '2.pdf', '3.pdf']) await upload(world, member, { entityId: other }, pdf(name));
    expect(await names(`organizationId=${other}`)).toEqual(['3.pdf', '2.pdf', '1.pdf']);
    await world.sql("update attachments set created_at = '2026-03-10T23:59:59.999Z' where original_filename = '1.pdf'");
    expect(await names('startDate=2026-03-10&endDate=2026-03-10')).toEqual(['1.pdf']);
    expect(await names('endDate=2026-03-10T23:59:59.998Z')).toEqual([]);
    expect(await names(`organizationId=${other}&startDate=2026-03-11`)).toEqual(['3.pdf', '2.pdf']);
  });

  test('hides deleted documents and documents of deleted organizations', async () => {
    const { body } = await upload(world, member, { entityId: other }, pdf('deleted.pdf'));
    await world.call(member, `DELETE /api/attachments/${body.id}`);
    expect(await names(`organizationId=${other}`)).not.toContain('deleted.pdf');
    await world.call(world.global, `DELETE /api/organizations/${other}`);
    expect(await names()).toEqual(['statute.pdf']);
  });
});
