import type { ErrorCode } from './errors.ts';

/** What the service knows about a type of records. The audit log, events, conditional requests and rejections read it. */
interface RecordDefinition {
  /** The table, as a key of Kysely's schema. */
  table: string;
  /** The fields that identify a record. */
  key: readonly string[];
  /** The groups of the contract whose procedures are about these records. */
  groups: readonly string[];
  /** The procedures that show the records: who may call one of them may read the values in the audit log. */
  readers: readonly string[];
  /** Whether a record belongs to one tenant, to one organization, or is shared by all tenants. */
  owner: 'tenant' | 'organization' | 'shared';
  /** The error code for a record that does not exist, or that the caller may not see. Null for records without a version. */
  notFound: ErrorCode | null;
  /** Whether the organization scope of the caller limits the table. */
  isScoped?: true;
  /** Whether a deleted record stays in the table. Scoped tables hide deleted records in any case. */
  isSoftDeleted?: true;
}

/** The types of the records that the API shows. Audit entries and events name them. */
export const records = {
  user: {
    table: 'users',
    key: ['id'],
    groups: ['users'],
    readers: ['users.get', 'users.list'],
    owner: 'shared',
    notFound: 'USER_NOT_FOUND',
    isSoftDeleted: true,
  },
  membership: {
    table: 'memberships',
    key: ['userId', 'tenantId'],
    groups: ['memberships'],
    readers: ['memberships.list', 'memberships.users'],
    owner: 'tenant',
    notFound: null,
  },
  // It has the version of its membership.
  organizationScope: {
    table: 'memberships',
    key: ['userId', 'tenantId'],
    groups: ['organizationScopes'],
    readers: ['organizationScopes.get'],
    owner: 'tenant',
    notFound: 'USER_TENANT_NOT_FOUND',
  },
  customer: {
    table: 'customers',
    key: ['id'],
    groups: ['customers'],
    readers: ['customers.get', 'customers.list'],
    owner: 'shared',
    notFound: 'CUSTOMER_NOT_FOUND',
  },
  app: { table: 'apps', key: ['id'], groups: ['apps'], readers: ['apps.get', 'apps.list'], owner: 'shared', notFound: 'APP_NOT_FOUND' },
  tenant: {
    table: 'tenants',
    key: ['id'],
    groups: ['tenants'],
    readers: ['tenants.get', 'tenants.list'],
    owner: 'tenant',
    notFound: 'TENANT_NOT_FOUND',
  },
  organization: {
    table: 'organizations',
    key: ['id'],
    groups: ['organizations'],
    readers: ['organizations.get', 'organizations.list'],
    owner: 'organization',
    notFound: 'ORGANIZATION_NOT_FOUND',
    isScoped: true,
  },
  organizationLink: {
    table: 'organizationTenants',
    key: ['organizationId', 'tenantId'],
    groups: [],
    readers: ['tenants.organizations'],
    owner: 'tenant',
    notFound: null,
  },
  organizationAddress: {
    table: 'organizationAddresses',
    key: ['id'],
    groups: ['organizationAddresses'],
    readers: ['organizationAddresses.get', 'organizationAddresses.list'],
    owner: 'organization',
    notFound: 'ORGANIZATION_ADDRESS_NOT_FOUND',
    isScoped: true,
  },
  organizationContact: {
    table: 'organizationContacts',
    key: ['id'],
    groups: ['organizationContacts'],
    readers: ['organizationContacts.get', 'organizationContacts.list'],
    owner: 'organization',
    notFound: 'ORGANIZATION_CONTACT_NOT_FOUND',
    isScoped: true,
  },
  documentType: {
    table: 'documentTypes',
    key: ['id'],
    groups: ['documentTypes'],
    readers: ['documentTypes.get', 'documentTypes.list'],
    owner: 'shared',
    notFound: 'DOCUMENT_TYPE_NOT_FOUND',
  },
  state: {
    table: 'states',
    key: ['stateCode'],
    groups: ['states'],
    readers: ['states.get', 'states.list'],
    owner: 'shared',
    notFound: 'STATE_NOT_FOUND',
  },
  city: {
    table: 'cities',
    key: ['ibgeCode'],
    groups: ['cities'],
    readers: ['cities.get', 'cities.list'],
    owner: 'shared',
    notFound: 'CITY_NOT_FOUND',
  },
  attachment: {
    table: 'attachments',
    key: ['id'],
    groups: ['attachments', 'documents'],
    readers: ['attachments.get', 'attachments.list'],
    owner: 'organization',
    notFound: 'ATTACHMENT_NOT_FOUND',
    isScoped: true,
  },
  webhook: {
    table: 'webhooks',
    key: ['id'],
    groups: ['webhooks'],
    readers: ['webhooks.get', 'webhooks.list'],
    owner: 'tenant',
    notFound: 'WEBHOOK_NOT_FOUND',
    isScoped: true,
  },
} as const satisfies Record<string, RecordDefinition>;

export type RecordType = keyof typeof records;
export const recordTypes = Object.keys(records) as [RecordType, ...RecordType[]];

/** The records that have a version of their own. */
export type VersionedType = { [Type in RecordType]: (typeof records)[Type]['notFound'] extends null ? never : Type }[RecordType];

/** The definition of a record type. */
export const recordOf = (type: RecordType): RecordDefinition => records[type];

/** What happens to records. */
const changeTypes = ['created', 'updated', 'deleted'] as const;

/** What happened to a record: `organization.updated`. */
export type EventType = `${RecordType}.${(typeof changeTypes)[number]}`;
export const eventTypes = recordTypes.flatMap((type) => changeTypes.map((change): EventType => `${type}.${change}`));

/** The record type of an event type. */
export const recordTypeOf = (event: EventType): RecordType => event.split('.')[0] as RecordType;
