import type { Organization, OrganizationAddress, OrganizationContact, User } from '@profile-service/client';

/* The rows of records. */

export const organizationRow = (record: Organization) => ({ id: record.id, data: JSON.stringify(record) });
export const userRow = (record: User) => ({ id: record.id, data: JSON.stringify(record) });
export const addressRow = (record: OrganizationAddress) => ({
  id: record.id,
  organization_id: record.organizationId,
  data: JSON.stringify(record),
});
export const contactRow = (record: OrganizationContact) => ({
  id: record.id,
  organization_id: record.organizationId,
  data: JSON.stringify(record),
});
