import type { ErrorCode } from './errors.ts';

/** The types of the records that the API shows. Audit entries and events name them. */
export const recordTypes = [
  'user',
  'membership',
  'organizationScope',
  'customer',
  'app',
  'tenant',
  'organization',
  'organizationLink',
  'organizationAddress',
  'organizationContact',
  'documentType',
  'state',
  'city',
  'attachment',
] as const;
export type RecordType = (typeof recordTypes)[number];

/** The error codes for a record that does not exist, or that the caller may not see. */
export const notFoundCodes = {
  user: 'USER_NOT_FOUND',
  organizationScope: 'USER_TENANT_NOT_FOUND',
  customer: 'CUSTOMER_NOT_FOUND',
  app: 'APP_NOT_FOUND',
  tenant: 'TENANT_NOT_FOUND',
  organization: 'ORGANIZATION_NOT_FOUND',
  organizationAddress: 'ORGANIZATION_ADDRESS_NOT_FOUND',
  organizationContact: 'ORGANIZATION_CONTACT_NOT_FOUND',
  documentType: 'DOCUMENT_TYPE_NOT_FOUND',
  state: 'STATE_NOT_FOUND',
  city: 'CITY_NOT_FOUND',
  attachment: 'ATTACHMENT_NOT_FOUND',
} as const satisfies Partial<Record<RecordType, ErrorCode>>;

/** What happened to a record: `organization.updated`. */
export type EventType = `${RecordType}.${'created' | 'updated' | 'deleted'}`;

/** The record type of an event type. */
export const recordTypeOf = (event: EventType): RecordType => event.split('.')[0] as RecordType;
