// Generated from packages/contracts by `pnpm generate client`. Do not edit.

import type { Conditional, ExportedRecords, Idempotent, Mutation, Query, Subscription, Versioned } from '../procedure.ts';
import type {
  App,
  AppCreate,
  AppPage,
  AppSort,
  AppUpdate,
  Attachment,
  AttachmentCreate,
  AttachmentEntityType,
  AttachmentPage,
  AttachmentSort,
  AttachmentUpdate,
  AuditEntryList,
  AuditOutcome,
  City,
  CityCreate,
  CityPage,
  CitySort,
  CityUpdate,
  ContactType,
  Cooperatives,
  Customer,
  CustomerCreate,
  CustomerCreated,
  CustomerPage,
  CustomerSort,
  CustomerUpdate,
  DocumentPage,
  DocumentSort,
  DocumentType,
  DocumentTypeCreate,
  DocumentTypePage,
  DocumentTypeSort,
  DocumentTypeUpdate,
  Event,
  EventList,
  EventTypeFilter,
  Import,
  ImportCreate,
  ImportList,
  ImportResultStatus,
  ImportStatus,
  ImportType,
  MembershipAssign,
  MembershipKey,
  MembershipList,
  MyPermissions,
  Organization,
  OrganizationAddress,
  OrganizationAddressCreate,
  OrganizationAddressPage,
  OrganizationAddressSort,
  OrganizationAddressUpdate,
  OrganizationContact,
  OrganizationContactCreate,
  OrganizationContactPage,
  OrganizationContactSort,
  OrganizationContactUpdate,
  OrganizationCreate,
  OrganizationLink,
  OrganizationPage,
  OrganizationScope,
  OrganizationScopeSet,
  OrganizationSort,
  OrganizationUpdate,
  Persona,
  RecordFileFormat,
  RecordType,
  ServiceUserCreate,
  State,
  StateCreate,
  StatePage,
  StateSort,
  StateUpdate,
  Tenant,
  TenantCreate,
  TenantCreated,
  TenantOrganizationList,
  TenantPage,
  TenantSort,
  TenantUpdate,
  TenantUserList,
  User,
  UserCreate,
  UserPage,
  UserSort,
  UserType,
  UserUpdate,
  Webhook,
  WebhookAttempt,
  WebhookCreate,
  WebhookCreated,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryStatus,
  WebhookPage,
  WebhookReplay,
  WebhookReplayStarted,
  WebhookSecret,
  WebhookSort,
  WebhookUpdate,
} from './models.ts';

/** The error codes of every endpoint. */
export type CommonErrorCode =
  'VALIDATION_FAILED' | 'UNAUTHORIZED' | 'RATE_LIMITED' | 'INTERNAL_ERROR' | 'SERVICE_UNAVAILABLE' | 'IDENTITY_PROVIDER_UNAVAILABLE';

/** The error codes of every endpoint for users. */
export type UserErrorCode =
  CommonErrorCode | 'USER_NOT_PROVISIONED' | 'ACTIVE_TENANT_REQUIRED' | 'TENANT_NOT_ALLOWED' | 'PERSONA_NOT_ASSIGNED';

/** The error codes of every endpoint for applications. */
export type ServiceErrorCode = CommonErrorCode | 'CLIENT_NOT_LINKED';

/** Input of `users.create`. */
export interface UsersCreateInput extends UserCreate, Idempotent {}

/** Output of `users.create`. */
export interface UsersCreateOutput extends User, Versioned {}

/** Error codes of `users.create`. */
export type UsersCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'USER_ALREADY_EXISTS'
  | 'IDENTITY_ALREADY_LINKED'
  | 'CUSTOMER_NOT_FOUND';

/** Input of `users.list`. */
export interface UsersListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: UserSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only users whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only users whose e-mail address contains this text. Ignores case. */
  email?: string | undefined;
  /** Only users whose name or e-mail address contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  search?: string | undefined;
  /** Only users of this kind. */
  type?: UserType | undefined;
  /** Only users of this customer. */
  customerId?: string | undefined;
  /** Only members of this tenant. */
  tenantId?: string | undefined;
  /** Only members with this persona, in the tenant `tenantId` or in any tenant. */
  persona?: Persona | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `users.list`. */
export type UsersListOutput = UserPage;

/** Error codes of `users.list`. */
export type UsersListErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `users.export`. */
export interface UsersExportInput {
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
  /** What separates the cells of a CSV file: a comma, a semicolon or a tab. Default: ,. */
  delimiter?: string | undefined;
  /** Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
  bom?: boolean | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: UserSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only users whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only users whose e-mail address contains this text. Ignores case. */
  email?: string | undefined;
  /** Only users whose name or e-mail address contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  search?: string | undefined;
  /** Only users of this kind. */
  type?: UserType | undefined;
  /** Only users of this customer. */
  customerId?: string | undefined;
  /** Only members of this tenant. */
  tenantId?: string | undefined;
  /** Only members with this persona, in the tenant `tenantId` or in any tenant. */
  persona?: Persona | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Error codes of `users.export`. */
export type UsersExportErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `users.get`. */
export interface UsersGetInput {
  /** Id of the user, set by the service. */
  id: string;
}

/** Output of `users.get`. */
export interface UsersGetOutput extends User, Versioned {}

/** Error codes of `users.get`. */
export type UsersGetErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'USER_NOT_FOUND';

/** Input of `users.update`. */
export interface UsersUpdateInput extends UserUpdate, Conditional {
  /** Id of the user, set by the service. */
  id: string;
}

/** Output of `users.update`. */
export interface UsersUpdateOutput extends User, Versioned {}

/** Error codes of `users.update`. */
export type UsersUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'USER_NOT_FOUND'
  | 'CUSTOMER_NOT_FOUND'
  | 'USER_ALREADY_EXISTS';

/** Input of `users.remove`. */
export interface UsersRemoveInput extends Conditional {
  /** Id of the user, set by the service. */
  id: string;
}

/** Output of `users.remove`. */
export type UsersRemoveOutput = undefined;

/** Error codes of `users.remove`. */
export type UsersRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'USER_NOT_FOUND';

/** Input of `memberships.list`. */
export interface MembershipsListInput {
  /** Id of the user, set by the service. */
  userId: string;
}

/** Output of `memberships.list`. */
export type MembershipsListOutput = MembershipList;

/** Error codes of `memberships.list`. */
export type MembershipsListErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'USER_NOT_FOUND';

/** Input of `memberships.assign`. */
export interface MembershipsAssignInput extends MembershipAssign, Idempotent {
  /** Id of the user, set by the service. */
  userId: string;
}

/** Output of `memberships.assign`. */
export type MembershipsAssignOutput = MembershipKey;

/** Error codes of `memberships.assign`. */
export type MembershipsAssignErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'USER_NOT_FOUND'
  | 'TENANT_NOT_FOUND';

/** Input of `memberships.remove`. */
export interface MembershipsRemoveInput {
  /** Id of the user, set by the service. */
  userId: string;
  /** Id of the tenant. The value of `X-Tenant-Id`. */
  tenantId: string;
}

/** Output of `memberships.remove`. */
export type MembershipsRemoveOutput = undefined;

/** Error codes of `memberships.remove`. */
export type MembershipsRemoveErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'USER_NOT_FOUND';

/** Input of `memberships.users`. */
export interface MembershipsUsersInput {
  /** Id of the tenant. The value of `X-Tenant-Id`. */
  tenantId: string;
}

/** Output of `memberships.users`. */
export type MembershipsUsersOutput = TenantUserList;

/** Error codes of `memberships.users`. */
export type MembershipsUsersErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'TENANT_NOT_FOUND';

/** Input of `organizationScopes.get`. */
export interface OrganizationScopesGetInput {
  /** Id of the user whose scope it is. */
  userId: string;
  /** Id of a tenant that the user is a member of. */
  tenantId: string;
}

/** Output of `organizationScopes.get`. */
export interface OrganizationScopesGetOutput extends OrganizationScope, Versioned {}

/** Error codes of `organizationScopes.get`. */
export type OrganizationScopesGetErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'USER_NOT_FOUND' | 'USER_TENANT_NOT_FOUND';

/** Input of `organizationScopes.set`. */
export interface OrganizationScopesSetInput extends OrganizationScopeSet, Conditional {
  /** Id of the user whose scope it is. */
  userId: string;
  /** Id of a tenant that the user is a member of. */
  tenantId: string;
}

/** Output of `organizationScopes.set`. */
export type OrganizationScopesSetOutput = undefined;

/** Error codes of `organizationScopes.set`. */
export type OrganizationScopesSetErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'USER_NOT_FOUND'
  | 'USER_TENANT_NOT_FOUND'
  | 'ORGANIZATION_NOT_LINKED_TO_TENANT';

/** Input of `customers.create`. */
export interface CustomersCreateInput extends CustomerCreate, Idempotent {}

/** Output of `customers.create`. */
export interface CustomersCreateOutput extends CustomerCreated, Versioned {}

/** Error codes of `customers.create`. */
export type CustomersCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'CUSTOMER_ALREADY_EXISTS';

/** Input of `customers.list`. */
export interface CustomersListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: CustomerSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only customers whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only the customer with this tax id, without punctuation. */
  federalTaxId?: string | undefined;
  /** Only active customers (`true`), or only inactive ones (`false`). */
  active?: boolean | undefined;
}

/** Output of `customers.list`. */
export type CustomersListOutput = CustomerPage;

/** Error codes of `customers.list`. */
export type CustomersListErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `customers.export`. */
export interface CustomersExportInput {
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
  /** What separates the cells of a CSV file: a comma, a semicolon or a tab. Default: ,. */
  delimiter?: string | undefined;
  /** Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
  bom?: boolean | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: CustomerSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only customers whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only the customer with this tax id, without punctuation. */
  federalTaxId?: string | undefined;
  /** Only active customers (`true`), or only inactive ones (`false`). */
  active?: boolean | undefined;
}

/** Error codes of `customers.export`. */
export type CustomersExportErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `customers.get`. */
export interface CustomersGetInput {
  /** Id of the customer, set by the service. */
  id: string;
}

/** Output of `customers.get`. */
export interface CustomersGetOutput extends Customer, Versioned {}

/** Error codes of `customers.get`. */
export type CustomersGetErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'CUSTOMER_NOT_FOUND';

/** Input of `customers.update`. */
export interface CustomersUpdateInput extends CustomerUpdate, Conditional {
  /** Id of the customer, set by the service. */
  id: string;
}

/** Output of `customers.update`. */
export interface CustomersUpdateOutput extends Customer, Versioned {}

/** Error codes of `customers.update`. */
export type CustomersUpdateErrorCode =
  UserErrorCode | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'CUSTOMER_NOT_FOUND';

/** Input of `customers.remove`. */
export interface CustomersRemoveInput extends Conditional {
  /** Id of the customer, set by the service. */
  id: string;
}

/** Output of `customers.remove`. */
export type CustomersRemoveOutput = undefined;

/** Error codes of `customers.remove`. */
export type CustomersRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'CUSTOMER_NOT_FOUND' | 'CUSTOMER_IN_USE';

/** Input of `apps.create`. */
export interface AppsCreateInput extends AppCreate, Idempotent {}

/** Output of `apps.create`. */
export interface AppsCreateOutput extends App, Versioned {}

/** Error codes of `apps.create`. */
export type AppsCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'APP_ALREADY_EXISTS';

/** Input of `apps.list`. */
export interface AppsListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: AppSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only apps whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
}

/** Output of `apps.list`. */
export type AppsListOutput = AppPage;

/** Error codes of `apps.list`. */
export type AppsListErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `apps.get`. */
export interface AppsGetInput {
  /** Id of the app, set by the service. */
  id: string;
}

/** Output of `apps.get`. */
export interface AppsGetOutput extends App, Versioned {}

/** Error codes of `apps.get`. */
export type AppsGetErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'APP_NOT_FOUND';

/** Input of `apps.update`. */
export interface AppsUpdateInput extends AppUpdate, Conditional {
  /** Id of the app, set by the service. */
  id: string;
}

/** Output of `apps.update`. */
export interface AppsUpdateOutput extends App, Versioned {}

/** Error codes of `apps.update`. */
export type AppsUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'APP_NOT_FOUND'
  | 'APP_ALREADY_EXISTS';

/** Input of `apps.remove`. */
export interface AppsRemoveInput extends Conditional {
  /** Id of the app, set by the service. */
  id: string;
}

/** Output of `apps.remove`. */
export type AppsRemoveOutput = undefined;

/** Error codes of `apps.remove`. */
export type AppsRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'APP_NOT_FOUND' | 'APP_IN_USE';

/** Input of `tenants.create`. */
export interface TenantsCreateInput extends TenantCreate, Idempotent {}

/** Output of `tenants.create`. */
export interface TenantsCreateOutput extends TenantCreated, Versioned {}

/** Error codes of `tenants.create`. */
export type TenantsCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'CUSTOMER_NOT_FOUND'
  | 'APP_NOT_FOUND'
  | 'IDENTITY_CLIENT_ALREADY_LINKED';

/** Input of `tenants.list`. */
export interface TenantsListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: TenantSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only tenants whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only tenants of this customer. */
  customerId?: string | undefined;
  /** Only tenants of this app. */
  appId?: string | undefined;
  /** Only active tenants (`true`), or only inactive ones (`false`). */
  active?: boolean | undefined;
}

/** Output of `tenants.list`. */
export type TenantsListOutput = TenantPage;

/** Error codes of `tenants.list`. */
export type TenantsListErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `tenants.get`. */
export interface TenantsGetInput {
  /** Id of the tenant, set by the service. The value of `X-Tenant-Id`. */
  id: string;
}

/** Output of `tenants.get`. */
export interface TenantsGetOutput extends Tenant, Versioned {}

/** Error codes of `tenants.get`. */
export type TenantsGetErrorCode = UserErrorCode | 'TENANT_NOT_FOUND';

/** Input of `tenants.update`. */
export interface TenantsUpdateInput extends TenantUpdate, Conditional {
  /** Id of the tenant, set by the service. The value of `X-Tenant-Id`. */
  id: string;
}

/** Output of `tenants.update`. */
export interface TenantsUpdateOutput extends Tenant, Versioned {}

/** Error codes of `tenants.update`. */
export type TenantsUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'TENANT_NOT_FOUND'
  | 'IDENTITY_CLIENT_ALREADY_LINKED';

/** Input of `tenants.remove`. */
export interface TenantsRemoveInput extends Conditional {
  /** Id of the tenant, set by the service. The value of `X-Tenant-Id`. */
  id: string;
}

/** Output of `tenants.remove`. */
export type TenantsRemoveOutput = undefined;

/** Error codes of `tenants.remove`. */
export type TenantsRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'TENANT_NOT_FOUND';

/** Input of `tenants.organizations`. */
export interface TenantsOrganizationsInput {
  /** Id of the tenant, set by the service. The value of `X-Tenant-Id`. */
  tenantId: string;
}

/** Output of `tenants.organizations`. */
export type TenantsOrganizationsOutput = TenantOrganizationList;

/** Error codes of `tenants.organizations`. */
export type TenantsOrganizationsErrorCode = UserErrorCode | 'TENANT_NOT_FOUND';

/** Input of `organizations.create`. */
export interface OrganizationsCreateInput extends OrganizationCreate, Idempotent {}

/** Output of `organizations.create`. */
export interface OrganizationsCreateOutput extends Organization, Versioned {}

/** Error codes of `organizations.create`. */
export type OrganizationsCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'ORGANIZATION_ALREADY_EXISTS'
  | 'INVALID_STATE'
  | 'INVALID_CITY'
  | 'CITY_STATE_MISMATCH';

/** Input of `organizations.list`. */
export interface OrganizationsListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only the organization with this id. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only the organization whose current address has this id. */
  organizationAddressId?: string | undefined;
  /** Only the organization with this tax id, without punctuation. */
  federalTaxId?: string | undefined;
  /** Only organizations whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /**
   * Only organizations whose name, alias or tax id contains this text. Ignores case, accents, and the kind of apostrophes, dashes and
   * blanks.
   */
  search?: string | undefined;
  /** Only active organizations (`true`), or only inactive ones (`false`). */
  active?: boolean | undefined;
  /** Only organizations that may be listed publicly (`true`), or only others (`false`). */
  listed?: boolean | undefined;
  /** Only organizations whose current address is in the state with this IBGE code. */
  stateCode?: number | undefined;
  /** Only organizations whose current address is in the city with this IBGE code. */
  cityCode?: number | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `organizations.list`. */
export type OrganizationsListOutput = OrganizationPage;

/** Error codes of `organizations.list`. */
export type OrganizationsListErrorCode = UserErrorCode | 'NOT_ALLOWED_ORGANIZATION' | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizations.export`. */
export interface OrganizationsExportInput {
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
  /** What separates the cells of a CSV file: a comma, a semicolon or a tab. Default: ,. */
  delimiter?: string | undefined;
  /** Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
  bom?: boolean | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only the organization with this id. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only the organization whose current address has this id. */
  organizationAddressId?: string | undefined;
  /** Only the organization with this tax id, without punctuation. */
  federalTaxId?: string | undefined;
  /** Only organizations whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /**
   * Only organizations whose name, alias or tax id contains this text. Ignores case, accents, and the kind of apostrophes, dashes and
   * blanks.
   */
  search?: string | undefined;
  /** Only active organizations (`true`), or only inactive ones (`false`). */
  active?: boolean | undefined;
  /** Only organizations that may be listed publicly (`true`), or only others (`false`). */
  listed?: boolean | undefined;
  /** Only organizations whose current address is in the state with this IBGE code. */
  stateCode?: number | undefined;
  /** Only organizations whose current address is in the city with this IBGE code. */
  cityCode?: number | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Error codes of `organizations.export`. */
export type OrganizationsExportErrorCode = UserErrorCode | 'NOT_ALLOWED_ORGANIZATION' | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizations.get`. */
export interface OrganizationsGetInput {
  /** Id of the organization, set by the service. */
  id: string;
}

/** Output of `organizations.get`. */
export interface OrganizationsGetOutput extends Organization, Versioned {}

/** Error codes of `organizations.get`. */
export type OrganizationsGetErrorCode = UserErrorCode | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizations.update`. */
export interface OrganizationsUpdateInput extends OrganizationUpdate, Conditional {
  /** Id of the organization, set by the service. */
  id: string;
}

/** Output of `organizations.update`. */
export interface OrganizationsUpdateOutput extends Organization, Versioned {}

/** Error codes of `organizations.update`. */
export type OrganizationsUpdateErrorCode =
  UserErrorCode | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizations.remove`. */
export interface OrganizationsRemoveInput extends Conditional {
  /** Id of the organization, set by the service. */
  id: string;
}

/** Output of `organizations.remove`. */
export type OrganizationsRemoveOutput = undefined;

/** Error codes of `organizations.remove`. */
export type OrganizationsRemoveErrorCode =
  UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'ORGANIZATION_NOT_FOUND' | 'ORGANIZATION_IN_USE';

/** Input of `organizationAddresses.create`. */
export interface OrganizationAddressesCreateInput extends OrganizationAddressCreate, Idempotent {}

/** Output of `organizationAddresses.create`. */
export interface OrganizationAddressesCreateOutput extends OrganizationAddress, Versioned {}

/** Error codes of `organizationAddresses.create`. */
export type OrganizationAddressesCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'NOT_ALLOWED_ORGANIZATION'
  | 'ORGANIZATION_NOT_FOUND'
  | 'STATE_NOT_FOUND'
  | 'CITY_NOT_FOUND'
  | 'CITY_STATE_MISMATCH';

/** Input of `organizationAddresses.list`. */
export interface OrganizationAddressesListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationAddressSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only addresses of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only addresses in the city with this IBGE code. */
  cityCode?: number | undefined;
  /** Only addresses in the state with this IBGE code. */
  stateCode?: number | undefined;
  /** With `true`, only current addresses. With `false` or without it, closed ones too. */
  currentOnly?: boolean | undefined;
}

/** Output of `organizationAddresses.list`. */
export type OrganizationAddressesListOutput = OrganizationAddressPage;

/** Error codes of `organizationAddresses.list`. */
export type OrganizationAddressesListErrorCode = UserErrorCode | 'NOT_ALLOWED_ORGANIZATION' | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizationAddresses.export`. */
export interface OrganizationAddressesExportInput {
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
  /** What separates the cells of a CSV file: a comma, a semicolon or a tab. Default: ,. */
  delimiter?: string | undefined;
  /** Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
  bom?: boolean | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationAddressSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only addresses of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only addresses in the city with this IBGE code. */
  cityCode?: number | undefined;
  /** Only addresses in the state with this IBGE code. */
  stateCode?: number | undefined;
  /** With `true`, only current addresses. With `false` or without it, closed ones too. */
  currentOnly?: boolean | undefined;
}

/** Error codes of `organizationAddresses.export`. */
export type OrganizationAddressesExportErrorCode = UserErrorCode | 'NOT_ALLOWED_ORGANIZATION' | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizationAddresses.get`. */
export interface OrganizationAddressesGetInput {
  /** Id of the address, set by the service. */
  id: string;
}

/** Output of `organizationAddresses.get`. */
export interface OrganizationAddressesGetOutput extends OrganizationAddress, Versioned {}

/** Error codes of `organizationAddresses.get`. */
export type OrganizationAddressesGetErrorCode = UserErrorCode | 'ORGANIZATION_ADDRESS_NOT_FOUND';

/** Input of `organizationAddresses.update`. */
export interface OrganizationAddressesUpdateInput extends OrganizationAddressUpdate, Conditional {
  /** Id of the address, set by the service. */
  id: string;
}

/** Output of `organizationAddresses.update`. */
export interface OrganizationAddressesUpdateOutput extends OrganizationAddress, Versioned {}

/** Error codes of `organizationAddresses.update`. */
export type OrganizationAddressesUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'ORGANIZATION_ADDRESS_NOT_FOUND'
  | 'ORGANIZATION_ADDRESS_NOT_CURRENT'
  | 'STATE_NOT_FOUND'
  | 'CITY_NOT_FOUND'
  | 'CITY_STATE_MISMATCH';

/** Input of `organizationAddresses.remove`. */
export interface OrganizationAddressesRemoveInput extends Conditional {
  /** Id of the address, set by the service. */
  id: string;
}

/** Output of `organizationAddresses.remove`. */
export type OrganizationAddressesRemoveOutput = undefined;

/** Error codes of `organizationAddresses.remove`. */
export type OrganizationAddressesRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'ORGANIZATION_ADDRESS_NOT_FOUND';

/** Input of `organizationContacts.create`. */
export interface OrganizationContactsCreateInput extends OrganizationContactCreate, Idempotent {}

/** Output of `organizationContacts.create`. */
export interface OrganizationContactsCreateOutput extends OrganizationContact, Versioned {}

/** Error codes of `organizationContacts.create`. */
export type OrganizationContactsCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'NOT_ALLOWED_ORGANIZATION'
  | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizationContacts.list`. */
export interface OrganizationContactsListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationContactSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only contacts of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only contacts of this kind. */
  type?: ContactType | undefined;
  /** Only primary contacts (`true`), or only others (`false`). */
  isPrimary?: boolean | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `organizationContacts.list`. */
export type OrganizationContactsListOutput = OrganizationContactPage;

/** Error codes of `organizationContacts.list`. */
export type OrganizationContactsListErrorCode = UserErrorCode | 'NOT_ALLOWED_ORGANIZATION' | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizationContacts.export`. */
export interface OrganizationContactsExportInput {
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
  /** What separates the cells of a CSV file: a comma, a semicolon or a tab. Default: ,. */
  delimiter?: string | undefined;
  /** Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
  bom?: boolean | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationContactSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only contacts of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only contacts of this kind. */
  type?: ContactType | undefined;
  /** Only primary contacts (`true`), or only others (`false`). */
  isPrimary?: boolean | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Error codes of `organizationContacts.export`. */
export type OrganizationContactsExportErrorCode = UserErrorCode | 'NOT_ALLOWED_ORGANIZATION' | 'ORGANIZATION_NOT_FOUND';

/** Input of `organizationContacts.get`. */
export interface OrganizationContactsGetInput {
  /** Id of the contact, set by the service. */
  id: string;
}

/** Output of `organizationContacts.get`. */
export interface OrganizationContactsGetOutput extends OrganizationContact, Versioned {}

/** Error codes of `organizationContacts.get`. */
export type OrganizationContactsGetErrorCode = UserErrorCode | 'ORGANIZATION_CONTACT_NOT_FOUND';

/** Input of `organizationContacts.update`. */
export interface OrganizationContactsUpdateInput extends OrganizationContactUpdate, Conditional {
  /** Id of the contact, set by the service. */
  id: string;
}

/** Output of `organizationContacts.update`. */
export interface OrganizationContactsUpdateOutput extends OrganizationContact, Versioned {}

/** Error codes of `organizationContacts.update`. */
export type OrganizationContactsUpdateErrorCode =
  UserErrorCode | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'ORGANIZATION_CONTACT_NOT_FOUND';

/** Input of `organizationContacts.remove`. */
export interface OrganizationContactsRemoveInput extends Conditional {
  /** Id of the contact, set by the service. */
  id: string;
}

/** Output of `organizationContacts.remove`. */
export type OrganizationContactsRemoveOutput = undefined;

/** Error codes of `organizationContacts.remove`. */
export type OrganizationContactsRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'ORGANIZATION_CONTACT_NOT_FOUND';

/** Input of `documentTypes.create`. */
export interface DocumentTypesCreateInput extends DocumentTypeCreate, Idempotent {}

/** Output of `documentTypes.create`. */
export interface DocumentTypesCreateOutput extends DocumentType, Versioned {}

/** Error codes of `documentTypes.create`. */
export type DocumentTypesCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'DOCUMENT_TYPE_ALREADY_EXISTS';

/** Input of `documentTypes.list`. */
export interface DocumentTypesListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: DocumentTypeSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only document types whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only active document types (`true`), or only inactive ones (`false`). */
  isActive?: boolean | undefined;
  /** Only required document types (`true`), or only optional ones (`false`). */
  isRequired?: boolean | undefined;
  /** Only document types that require approval (`true`), or only others (`false`). */
  requiresApproval?: boolean | undefined;
  /** Only document types that expire (`true`), or only others (`false`). */
  hasExpiration?: boolean | undefined;
  /** Only document types with an authenticity code (`true`), or only others (`false`). */
  hasAuthenticityCode?: boolean | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `documentTypes.list`. */
export type DocumentTypesListOutput = DocumentTypePage;

/** Error codes of `documentTypes.list`. */
export type DocumentTypesListErrorCode = UserErrorCode;

/** Input of `documentTypes.get`. */
export interface DocumentTypesGetInput {
  /** Id of the document type, set by the service. */
  id: string;
}

/** Output of `documentTypes.get`. */
export interface DocumentTypesGetOutput extends DocumentType, Versioned {}

/** Error codes of `documentTypes.get`. */
export type DocumentTypesGetErrorCode = UserErrorCode | 'DOCUMENT_TYPE_NOT_FOUND';

/** Input of `documentTypes.update`. */
export interface DocumentTypesUpdateInput extends DocumentTypeUpdate, Conditional {
  /** Id of the document type, set by the service. */
  id: string;
}

/** Output of `documentTypes.update`. */
export interface DocumentTypesUpdateOutput extends DocumentType, Versioned {}

/** Error codes of `documentTypes.update`. */
export type DocumentTypesUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'DOCUMENT_TYPE_NOT_FOUND'
  | 'DOCUMENT_TYPE_ALREADY_EXISTS';

/** Input of `documentTypes.remove`. */
export interface DocumentTypesRemoveInput extends Conditional {
  /** Id of the document type, set by the service. */
  id: string;
}

/** Output of `documentTypes.remove`. */
export type DocumentTypesRemoveOutput = undefined;

/** Error codes of `documentTypes.remove`. */
export type DocumentTypesRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'DOCUMENT_TYPE_NOT_FOUND';

/** Input of `states.create`. */
export interface StatesCreateInput extends StateCreate, Idempotent {}

/** Output of `states.create`. */
export interface StatesCreateOutput extends State, Versioned {}

/** Error codes of `states.create`. */
export type StatesCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'STATE_ALREADY_EXISTS';

/** Input of `states.list`. */
export interface StatesListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: StateSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: number[] | undefined;
  /** Only states whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only the state with this abbreviation. Ignores case. */
  uf?: string | undefined;
  /** Only states of this region. Ignores case and accents. */
  region?: string | undefined;
}

/** Output of `states.list`. */
export type StatesListOutput = StatePage;

/** Error codes of `states.list`. */
export type StatesListErrorCode = UserErrorCode;

/** Input of `states.get`. */
export interface StatesGetInput {
  /** IBGE code, 2 digits for the states of Brazil. The key of the state: the client chooses it, and it cannot be changed. */
  stateCode: number;
}

/** Output of `states.get`. */
export interface StatesGetOutput extends State, Versioned {}

/** Error codes of `states.get`. */
export type StatesGetErrorCode = UserErrorCode | 'STATE_NOT_FOUND';

/** Input of `states.update`. */
export interface StatesUpdateInput extends StateUpdate, Conditional {
  /** IBGE code, 2 digits for the states of Brazil. The key of the state: the client chooses it, and it cannot be changed. */
  stateCode: number;
}

/** Output of `states.update`. */
export interface StatesUpdateOutput extends State, Versioned {}

/** Error codes of `states.update`. */
export type StatesUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'STATE_NOT_FOUND'
  | 'STATE_ALREADY_EXISTS';

/** Input of `states.remove`. */
export interface StatesRemoveInput extends Conditional {
  /** IBGE code, 2 digits for the states of Brazil. The key of the state: the client chooses it, and it cannot be changed. */
  stateCode: number;
}

/** Output of `states.remove`. */
export type StatesRemoveOutput = undefined;

/** Error codes of `states.remove`. */
export type StatesRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'STATE_NOT_FOUND' | 'STATE_IN_USE';

/** Input of `cities.create`. */
export interface CitiesCreateInput extends CityCreate, Idempotent {}

/** Output of `cities.create`. */
export interface CitiesCreateOutput extends City, Versioned {}

/** Error codes of `cities.create`. */
export type CitiesCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'CITY_ALREADY_EXISTS'
  | 'INVALID_STATE';

/** Input of `cities.list`. */
export interface CitiesListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: CitySort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: number[] | undefined;
  /** Only cities whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /** Only cities of the state with this IBGE code. */
  stateCode?: number | undefined;
  /** Only state capitals (`true`), or only other cities (`false`). */
  capital?: boolean | undefined;
}

/** Output of `cities.list`. */
export type CitiesListOutput = CityPage;

/** Error codes of `cities.list`. */
export type CitiesListErrorCode = UserErrorCode;

/** Input of `cities.get`. */
export interface CitiesGetInput {
  /** IBGE code, 7 digits for the cities of Brazil. The key of the city: the client chooses it, and it cannot be changed. */
  ibgeCode: number;
}

/** Output of `cities.get`. */
export interface CitiesGetOutput extends City, Versioned {}

/** Error codes of `cities.get`. */
export type CitiesGetErrorCode = UserErrorCode | 'CITY_NOT_FOUND';

/** Input of `cities.update`. */
export interface CitiesUpdateInput extends CityUpdate, Conditional {
  /** IBGE code, 7 digits for the cities of Brazil. The key of the city: the client chooses it, and it cannot be changed. */
  ibgeCode: number;
}

/** Output of `cities.update`. */
export interface CitiesUpdateOutput extends City, Versioned {}

/** Error codes of `cities.update`. */
export type CitiesUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'CITY_NOT_FOUND'
  | 'CITY_ALREADY_EXISTS'
  | 'INVALID_STATE';

/** Input of `cities.remove`. */
export interface CitiesRemoveInput extends Conditional {
  /** IBGE code, 7 digits for the cities of Brazil. The key of the city: the client chooses it, and it cannot be changed. */
  ibgeCode: number;
}

/** Output of `cities.remove`. */
export type CitiesRemoveOutput = undefined;

/** Error codes of `cities.remove`. */
export type CitiesRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'CITY_NOT_FOUND' | 'CITY_IN_USE';

/** Input of `attachments.create`. */
export type AttachmentsCreateInput = AttachmentCreate;

/** Output of `attachments.create`. */
export interface AttachmentsCreateOutput extends Attachment, Versioned {}

/** Error codes of `attachments.create`. */
export type AttachmentsCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'FILE_REQUIRED'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'NOT_ALLOWED_ORGANIZATION'
  | 'InvalidAttachmentTypeError'
  | 'FailedToUploadFileError';

/** Input of `attachments.list`. */
export interface AttachmentsListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: AttachmentSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only attachments that belong to this kind of record. */
  entityType?: AttachmentEntityType | undefined;
  /** Only attachments of this record. The list is empty if the record is outside the caller's scope. */
  entityId?: string | undefined;
  /** Only attachments that the user with this id uploaded. */
  userId?: string | undefined;
  /** Only records created at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  startDate?: string | undefined;
  /** Only records created at or before this date-time, or by the end of this date. UTC without an offset. */
  endDate?: string | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `attachments.list`. */
export type AttachmentsListOutput = AttachmentPage;

/** Error codes of `attachments.list`. */
export type AttachmentsListErrorCode = UserErrorCode;

/** Input of `attachments.get`. */
export interface AttachmentsGetInput {
  /** Id of the attachment, set by the service. */
  id: string;
}

/** Error codes of `attachments.get`. */
export type AttachmentsGetErrorCode = UserErrorCode | 'RANGE_NOT_SATISFIABLE' | 'ATTACHMENT_NOT_FOUND' | 'FailedToDownloadFileError';

/** Input of `attachments.update`. */
export interface AttachmentsUpdateInput extends AttachmentUpdate, Conditional {
  /** Id of the attachment, set by the service. */
  id: string;
}

/** Output of `attachments.update`. */
export interface AttachmentsUpdateOutput extends Attachment, Versioned {}

/** Error codes of `attachments.update`. */
export type AttachmentsUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'ATTACHMENT_NOT_FOUND'
  | 'NOT_ALLOWED_ORGANIZATION';

/** Input of `attachments.remove`. */
export interface AttachmentsRemoveInput extends Conditional {
  /** Id of the attachment, set by the service. */
  id: string;
}

/** Output of `attachments.remove`. */
export type AttachmentsRemoveOutput = undefined;

/** Error codes of `attachments.remove`. */
export type AttachmentsRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'ATTACHMENT_NOT_FOUND';

/** Input of `me.tenants`. */
export type MeTenantsInput = void;

/** Output of `me.tenants`. */
export type MeTenantsOutput = MembershipList;

/** Error codes of `me.tenants`. */
export type MeTenantsErrorCode = CommonErrorCode | 'USER_NOT_PROVISIONED';

/** Input of `me.permissions`. */
export type MePermissionsInput = void;

/** Output of `me.permissions`. */
export type MePermissionsOutput = MyPermissions;

/** Error codes of `me.permissions`. */
export type MePermissionsErrorCode = CommonErrorCode | 'USER_NOT_PROVISIONED';

/** Input of `cooperatives.list`. */
export type CooperativesListInput = void;

/** Output of `cooperatives.list`. */
export type CooperativesListOutput = Cooperatives;

/** Error codes of `cooperatives.list`. */
export type CooperativesListErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `auditEntries.list`. */
export interface AuditEntriesListInput {
  /** Only entries written at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  startDate?: string | undefined;
  /** Only entries written at or before this date-time, or by the end of this date. UTC without an offset. */
  endDate?: string | undefined;
  /** Only entries of this user, or of this tenant's application. Matches only entries that show the actor. */
  actorId?: string | undefined;
  /** Only entries of this procedure, such as `organizations.update`. */
  operation?: string | undefined;
  /** Only entries about records of this type. */
  recordType?: RecordType | undefined;
  /** Only entries about the record with this id. */
  recordId?: string | undefined;
  /** Only entries of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only entries of this tenant. Matches only entries that show the tenant. */
  tenantId?: string | undefined;
  /** Only committed changes, or only refused requests. */
  outcome?: AuditOutcome | undefined;
  /** Entries per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
}

/** Output of `auditEntries.list`. */
export type AuditEntriesListOutput = AuditEntryList;

/** Error codes of `auditEntries.list`. */
export type AuditEntriesListErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'NOT_ALLOWED_ORGANIZATION';

/** Input of `auditEntries.export`. */
export interface AuditEntriesExportInput {
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
  /** What separates the cells of a CSV file: a comma, a semicolon or a tab. Default: ,. */
  delimiter?: string | undefined;
  /** Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
  bom?: boolean | undefined;
  /** Only entries written at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  startDate?: string | undefined;
  /** Only entries written at or before this date-time, or by the end of this date. UTC without an offset. */
  endDate?: string | undefined;
  /** Only entries of this user, or of this tenant's application. Matches only entries that show the actor. */
  actorId?: string | undefined;
  /** Only entries of this procedure, such as `organizations.update`. */
  operation?: string | undefined;
  /** Only entries about records of this type. */
  recordType?: RecordType | undefined;
  /** Only entries about the record with this id. */
  recordId?: string | undefined;
  /** Only entries of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only entries of this tenant. Matches only entries that show the tenant. */
  tenantId?: string | undefined;
  /** Only committed changes, or only refused requests. */
  outcome?: AuditOutcome | undefined;
}

/** Error codes of `auditEntries.export`. */
export type AuditEntriesExportErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'NOT_ALLOWED_ORGANIZATION';

/** Input of `events.list`. */
export interface EventsListInput {
  /** `nextCursor` of an earlier response, also of another caller. Without it, the events start with the oldest one that is kept. */
  cursor?: string | undefined;
  /**
   * Starts with the first event at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. Not together
   * with `cursor`. A time in the future returns no event, and the cursor of the present.
   */
  startDate?: string | undefined;
  /** Only events of these types, separated by commas: `organization.updated`, `organization.*`, or `*` for all. */
  types?: EventTypeFilter[] | undefined;
  /** Only events of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Events per page, from 1 to 1,000. Default: 100. */
  limit?: number | undefined;
  /** How many seconds the response may wait for the first event, from 0 to 30. Default: 0. */
  wait?: number | undefined;
}

/** Output of `events.list`. */
export type EventsListOutput = EventList;

/** Error codes of `events.list`. */
export type EventsListErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'NOT_ALLOWED_ORGANIZATION' | 'EVENT_CURSOR_EXPIRED';

/** Input of `events.stream`. */
export interface EventsStreamInput {
  /** `nextCursor` of an earlier response, also of another caller. Without it, the events start with the oldest one that is kept. */
  cursor?: string | undefined;
  /**
   * Starts with the first event at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. Not together
   * with `cursor`. A time in the future returns no event, and the cursor of the present.
   */
  startDate?: string | undefined;
  /** Only events of these types, separated by commas: `organization.updated`, `organization.*`, or `*` for all. */
  types?: EventTypeFilter[] | undefined;
  /** Only events of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
}

/** Output of `events.stream`. */
export type EventsStreamOutput = Event;

/** Error codes of `events.stream`. */
export type EventsStreamErrorCode =
  UserErrorCode | 'TOO_MANY_STREAMS' | 'NOT_ALLOWED' | 'NOT_ALLOWED_ORGANIZATION' | 'EVENT_CURSOR_EXPIRED';

/** Input of `webhooks.create`. */
export interface WebhooksCreateInput extends WebhookCreate, Idempotent {}

/** Output of `webhooks.create`. */
export interface WebhooksCreateOutput extends WebhookCreated, Versioned {}

/** Error codes of `webhooks.create`. */
export type WebhooksCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'TENANT_NOT_FOUND'
  | 'WEBHOOK_URL_NOT_ALLOWED';

/** Input of `webhooks.list`. */
export interface WebhooksListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: WebhookSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only webhooks of this tenant. */
  tenantId?: string | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `webhooks.list`. */
export type WebhooksListOutput = WebhookPage;

/** Error codes of `webhooks.list`. */
export type WebhooksListErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `webhooks.get`. */
export interface WebhooksGetInput {
  /** Id of the webhook, set by the service. */
  id: string;
}

/** Output of `webhooks.get`. */
export interface WebhooksGetOutput extends Webhook, Versioned {}

/** Error codes of `webhooks.get`. */
export type WebhooksGetErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'WEBHOOK_NOT_FOUND';

/** Input of `webhooks.update`. */
export interface WebhooksUpdateInput extends WebhookUpdate, Conditional {
  /** Id of the webhook, set by the service. */
  id: string;
}

/** Output of `webhooks.update`. */
export interface WebhooksUpdateOutput extends Webhook, Versioned {}

/** Error codes of `webhooks.update`. */
export type WebhooksUpdateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'NOT_ALLOWED'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_URL_NOT_ALLOWED';

/** Input of `webhooks.remove`. */
export interface WebhooksRemoveInput extends Conditional {
  /** Id of the webhook, set by the service. */
  id: string;
}

/** Output of `webhooks.remove`. */
export type WebhooksRemoveOutput = undefined;

/** Error codes of `webhooks.remove`. */
export type WebhooksRemoveErrorCode = UserErrorCode | 'PRECONDITION_FAILED' | 'NOT_ALLOWED' | 'WEBHOOK_NOT_FOUND';

/** Input of `webhooks.rotateSecret`. */
export interface WebhooksRotateSecretInput extends Idempotent {
  /** Id of the webhook, set by the service. */
  id: string;
}

/** Output of `webhooks.rotateSecret`. */
export type WebhooksRotateSecretOutput = WebhookSecret;

/** Error codes of `webhooks.rotateSecret`. */
export type WebhooksRotateSecretErrorCode =
  UserErrorCode | 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'NOT_ALLOWED' | 'WEBHOOK_NOT_FOUND';

/** Input of `webhooks.test`. */
export interface WebhooksTestInput extends Idempotent {
  /** Id of the webhook, set by the service. */
  id: string;
}

/** Output of `webhooks.test`. */
export type WebhooksTestOutput = WebhookAttempt;

/** Error codes of `webhooks.test`. */
export type WebhooksTestErrorCode =
  UserErrorCode | 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'NOT_ALLOWED' | 'WEBHOOK_NOT_FOUND';

/** Input of `webhooks.replay`. */
export interface WebhooksReplayInput extends WebhookReplay, Idempotent {
  /** Id of the webhook, set by the service. */
  id: string;
}

/** Output of `webhooks.replay`. */
export type WebhooksReplayOutput = WebhookReplayStarted;

/** Error codes of `webhooks.replay`. */
export type WebhooksReplayErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'WEBHOOK_NOT_FOUND';

/** Input of `webhookDeliveries.list`. */
export interface WebhookDeliveriesListInput {
  /** Id of the webhook that gets the events. */
  id: string;
  /** Only deliveries with this status. */
  status?: WebhookDeliveryStatus | undefined;
  /** Only deliveries of events of this type: `organization.updated`, or `organization.*`. */
  type?: EventTypeFilter | undefined;
  /** Only deliveries of this event: the first one, and those of replays. */
  eventId?: string | undefined;
  /** Deliveries per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
}

/** Output of `webhookDeliveries.list`. */
export type WebhookDeliveriesListOutput = WebhookDeliveryList;

/** Error codes of `webhookDeliveries.list`. */
export type WebhookDeliveriesListErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'WEBHOOK_NOT_FOUND';

/** Input of `webhookDeliveries.get`. */
export interface WebhookDeliveriesGetInput {
  /** Id of the webhook that gets the events. */
  id: string;
  /** Id of the delivery, set by the service. A replay of the event is another delivery. */
  deliveryId: string;
}

/** Output of `webhookDeliveries.get`. */
export type WebhookDeliveriesGetOutput = WebhookDelivery;

/** Error codes of `webhookDeliveries.get`. */
export type WebhookDeliveriesGetErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND';

/** Input of `webhookDeliveries.retry`. */
export interface WebhookDeliveriesRetryInput extends Idempotent {
  /** Id of the webhook that gets the events. */
  id: string;
  /** Id of the delivery, set by the service. A replay of the event is another delivery. */
  deliveryId: string;
}

/** Output of `webhookDeliveries.retry`. */
export type WebhookDeliveriesRetryOutput = WebhookDelivery;

/** Error codes of `webhookDeliveries.retry`. */
export type WebhookDeliveriesRetryErrorCode =
  | UserErrorCode
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_DELIVERY_NOT_FOUND';

/** Input of `webhookDeliveries.skip`. */
export interface WebhookDeliveriesSkipInput extends Idempotent {
  /** Id of the webhook that gets the events. */
  id: string;
  /** Id of the delivery, set by the service. A replay of the event is another delivery. */
  deliveryId: string;
}

/** Output of `webhookDeliveries.skip`. */
export type WebhookDeliveriesSkipOutput = WebhookDelivery;

/** Error codes of `webhookDeliveries.skip`. */
export type WebhookDeliveriesSkipErrorCode =
  | UserErrorCode
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_DELIVERY_NOT_FOUND';

/** Input of `imports.create`. */
export type ImportsCreateInput = ImportCreate;

/** Output of `imports.create`. */
export type ImportsCreateOutput = Import;

/** Error codes of `imports.create`. */
export type ImportsCreateErrorCode =
  | UserErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'FILE_REQUIRED'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'NOT_ALLOWED'
  | 'INVALID_IMPORT_FILE'
  | 'FailedToUploadFileError';

/** Input of `imports.list`. */
export interface ImportsListInput {
  /** Only imports of these records. */
  type?: ImportType | undefined;
  /** Only imports with this status. */
  status?: ImportStatus | undefined;
  /** Imports per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
}

/** Output of `imports.list`. */
export type ImportsListOutput = ImportList;

/** Error codes of `imports.list`. */
export type ImportsListErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `imports.template`. */
export interface ImportsTemplateInput {
  /** The records that the rows are. */
  type: ImportType;
  /** Format of the file. Default: csv. */
  format?: RecordFileFormat | undefined;
}

/** Error codes of `imports.template`. */
export type ImportsTemplateErrorCode = UserErrorCode | 'NOT_ALLOWED';

/** Input of `imports.get`. */
export interface ImportsGetInput {
  /** Id of the import, set by the service. Audit entries and events of its rows have it as `requestId`. */
  id: string;
}

/** Output of `imports.get`. */
export type ImportsGetOutput = Import;

/** Error codes of `imports.get`. */
export type ImportsGetErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'IMPORT_NOT_FOUND';

/** Input of `imports.results`. */
export interface ImportsResultsInput {
  /** Id of the import, set by the service. Audit entries and events of its rows have it as `requestId`. */
  id: string;
  /** Only rows with this status. */
  status?: ImportResultStatus | undefined;
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
}

/** Error codes of `imports.results`. */
export type ImportsResultsErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'IMPORT_NOT_FOUND' | 'FailedToDownloadFileError';

/** Input of `imports.cancel`. */
export interface ImportsCancelInput {
  /** Id of the import, set by the service. Audit entries and events of its rows have it as `requestId`. */
  id: string;
}

/** Output of `imports.cancel`. */
export type ImportsCancelOutput = Import;

/** Error codes of `imports.cancel`. */
export type ImportsCancelErrorCode = UserErrorCode | 'NOT_ALLOWED' | 'IMPORT_NOT_FOUND' | 'IMPORT_NOT_RUNNING';

/** Input of `service.users.create`. */
export interface ServiceUsersCreateInput extends ServiceUserCreate, Idempotent {}

/** Output of `service.users.create`. */
export interface ServiceUsersCreateOutput extends User, Versioned {}

/** Error codes of `service.users.create`. */
export type ServiceUsersCreateErrorCode =
  | ServiceErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDENTITY_ALREADY_LINKED'
  | 'USER_DATA_MISMATCH';

/** Input of `service.organizations.list`. */
export interface ServiceOrganizationsListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only the organization with this id. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only the organization whose current address has this id. */
  organizationAddressId?: string | undefined;
  /** Only the organization with this tax id, without punctuation. */
  federalTaxId?: string | undefined;
  /** Only organizations whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /**
   * Only organizations whose name, alias or tax id contains this text. Ignores case, accents, and the kind of apostrophes, dashes and
   * blanks.
   */
  search?: string | undefined;
  /** Only active organizations (`true`), or only inactive ones (`false`). */
  active?: boolean | undefined;
  /** Only organizations that may be listed publicly (`true`), or only others (`false`). */
  listed?: boolean | undefined;
  /** Only organizations whose current address is in the state with this IBGE code. */
  stateCode?: number | undefined;
  /** Only organizations whose current address is in the city with this IBGE code. */
  cityCode?: number | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `service.organizations.list`. */
export type ServiceOrganizationsListOutput = OrganizationPage;

/** Error codes of `service.organizations.list`. */
export type ServiceOrganizationsListErrorCode = ServiceErrorCode | 'NOT_ALLOWED_ORGANIZATION';

/** Input of `service.organizations.export`. */
export interface ServiceOrganizationsExportInput {
  /** Format of the file. Default: ndjson. */
  format?: RecordFileFormat | undefined;
  /** What separates the cells of a CSV file: a comma, a semicolon or a tab. Default: ,. */
  delimiter?: string | undefined;
  /** Whether a CSV file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
  bom?: boolean | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: OrganizationSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only the organization with this id. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only the organization whose current address has this id. */
  organizationAddressId?: string | undefined;
  /** Only the organization with this tax id, without punctuation. */
  federalTaxId?: string | undefined;
  /** Only organizations whose name contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks. */
  name?: string | undefined;
  /**
   * Only organizations whose name, alias or tax id contains this text. Ignores case, accents, and the kind of apostrophes, dashes and
   * blanks.
   */
  search?: string | undefined;
  /** Only active organizations (`true`), or only inactive ones (`false`). */
  active?: boolean | undefined;
  /** Only organizations that may be listed publicly (`true`), or only others (`false`). */
  listed?: boolean | undefined;
  /** Only organizations whose current address is in the state with this IBGE code. */
  stateCode?: number | undefined;
  /** Only organizations whose current address is in the city with this IBGE code. */
  cityCode?: number | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Error codes of `service.organizations.export`. */
export type ServiceOrganizationsExportErrorCode = ServiceErrorCode | 'NOT_ALLOWED_ORGANIZATION';

/** Input of `service.organizations.create`. */
export interface ServiceOrganizationsCreateInput extends OrganizationCreate, Idempotent {}

/** Output of `service.organizations.create`. */
export interface ServiceOrganizationsCreateOutput extends Organization, Versioned {}

/** Error codes of `service.organizations.create`. */
export type ServiceOrganizationsCreateErrorCode =
  | ServiceErrorCode
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'ORGANIZATION_ALREADY_EXISTS'
  | 'INVALID_STATE'
  | 'INVALID_CITY'
  | 'CITY_STATE_MISMATCH';

/** Input of `service.organizations.link`. */
export interface ServiceOrganizationsLinkInput extends Idempotent {
  /** Id of the organization, set by the service. */
  organizationId: string;
}

/** Output of `service.organizations.link`. */
export type ServiceOrganizationsLinkOutput = OrganizationLink;

/** Error codes of `service.organizations.link`. */
export type ServiceOrganizationsLinkErrorCode =
  ServiceErrorCode | 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'ORGANIZATION_NOT_FOUND';

/** Input of `service.organizations.unlink`. */
export interface ServiceOrganizationsUnlinkInput {
  /** Id of the organization, set by the service. */
  organizationId: string;
}

/** Output of `service.organizations.unlink`. */
export type ServiceOrganizationsUnlinkOutput = undefined;

/** Error codes of `service.organizations.unlink`. */
export type ServiceOrganizationsUnlinkErrorCode = ServiceErrorCode | 'ORGANIZATION_NOT_FOUND';

/** Input of `service.organizations.findByFederalTaxId`. */
export interface ServiceOrganizationsFindByFederalTaxIdInput {
  /**
   * Federal tax id (CNPJ or CPF): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
}

/** Output of `service.organizations.findByFederalTaxId`. */
export interface ServiceOrganizationsFindByFederalTaxIdOutput extends Organization, Versioned {}

/** Error codes of `service.organizations.findByFederalTaxId`. */
export type ServiceOrganizationsFindByFederalTaxIdErrorCode = ServiceErrorCode | 'ORGANIZATION_NOT_FOUND';

/** Input of `service.documents.list`. */
export interface ServiceDocumentsListInput {
  /** Page number, from 1. Not together with `cursor`. Default: 1. */
  page?: number | undefined;
  /** Records per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /**
   * `*` for the first page, then `nextCursor` of the previous page, with the same `sort` and filters. The response has `nextCursor` and no
   * totals.
   */
  cursor?: string | undefined;
  /**
   * Fields by which the list is sorted, separated by commas. `-` before a field sorts it in descending order. Texts are in Portuguese
   * alphabetical order, ignoring case first; null comes last.
   */
  sort?: DocumentSort[] | undefined;
  /** Only the records with these ids, up to 100, separated by commas. Ids without a visible record are ignored. */
  ids?: string[] | undefined;
  /** Only documents of this organization. It must be linked to the token's tenant. */
  organizationId?: string | undefined;
  /** Only records created at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  startDate?: string | undefined;
  /** Only records created at or before this date-time, or by the end of this date. UTC without an offset. */
  endDate?: string | undefined;
  /** Only records changed at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  updatedSince?: string | undefined;
}

/** Output of `service.documents.list`. */
export type ServiceDocumentsListOutput = DocumentPage;

/** Error codes of `service.documents.list`. */
export type ServiceDocumentsListErrorCode = ServiceErrorCode | 'NOT_ALLOWED_ORGANIZATION';

/** Input of `service.cooperatives.list`. */
export type ServiceCooperativesListInput = void;

/** Output of `service.cooperatives.list`. */
export type ServiceCooperativesListOutput = Cooperatives;

/** Error codes of `service.cooperatives.list`. */
export type ServiceCooperativesListErrorCode = ServiceErrorCode;

/** Input of `service.auditEntries.list`. */
export interface ServiceAuditEntriesListInput {
  /** Only entries written at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. */
  startDate?: string | undefined;
  /** Only entries written at or before this date-time, or by the end of this date. UTC without an offset. */
  endDate?: string | undefined;
  /** Only entries of this user, or of this tenant's application. Matches only entries that show the actor. */
  actorId?: string | undefined;
  /** Only entries of this procedure, such as `organizations.update`. */
  operation?: string | undefined;
  /** Only entries about records of this type. */
  recordType?: RecordType | undefined;
  /** Only entries about the record with this id. */
  recordId?: string | undefined;
  /** Only entries of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Only entries of this tenant. Matches only entries that show the tenant. */
  tenantId?: string | undefined;
  /** Only committed changes, or only refused requests. */
  outcome?: AuditOutcome | undefined;
  /** Entries per page, from 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page. Send it with the same filters. */
  cursor?: string | undefined;
}

/** Output of `service.auditEntries.list`. */
export type ServiceAuditEntriesListOutput = AuditEntryList;

/** Error codes of `service.auditEntries.list`. */
export type ServiceAuditEntriesListErrorCode = ServiceErrorCode | 'NOT_ALLOWED_ORGANIZATION';

/** Input of `service.events.list`. */
export interface ServiceEventsListInput {
  /** `nextCursor` of an earlier response, also of another caller. Without it, the events start with the oldest one that is kept. */
  cursor?: string | undefined;
  /**
   * Starts with the first event at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. Not together
   * with `cursor`. A time in the future returns no event, and the cursor of the present.
   */
  startDate?: string | undefined;
  /** Only events of these types, separated by commas: `organization.updated`, `organization.*`, or `*` for all. */
  types?: EventTypeFilter[] | undefined;
  /** Only events of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
  /** Events per page, from 1 to 1,000. Default: 100. */
  limit?: number | undefined;
  /** How many seconds the response may wait for the first event, from 0 to 30. Default: 0. */
  wait?: number | undefined;
}

/** Output of `service.events.list`. */
export type ServiceEventsListOutput = EventList;

/** Error codes of `service.events.list`. */
export type ServiceEventsListErrorCode = ServiceErrorCode | 'NOT_ALLOWED_ORGANIZATION' | 'EVENT_CURSOR_EXPIRED';

/** Input of `service.events.stream`. */
export interface ServiceEventsStreamInput {
  /** `nextCursor` of an earlier response, also of another caller. Without it, the events start with the oldest one that is kept. */
  cursor?: string | undefined;
  /**
   * Starts with the first event at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). UTC without an offset. Not together
   * with `cursor`. A time in the future returns no event, and the cursor of the present.
   */
  startDate?: string | undefined;
  /** Only events of these types, separated by commas: `organization.updated`, `organization.*`, or `*` for all. */
  types?: EventTypeFilter[] | undefined;
  /** Only events of this organization. It must be in the caller's scope. */
  organizationId?: string | undefined;
}

/** Output of `service.events.stream`. */
export type ServiceEventsStreamOutput = Event;

/** Error codes of `service.events.stream`. */
export type ServiceEventsStreamErrorCode = ServiceErrorCode | 'TOO_MANY_STREAMS' | 'NOT_ALLOWED_ORGANIZATION' | 'EVENT_CURSOR_EXPIRED';

/** The procedures of the service. */
export type Procedures = {
  users: {
    /**
     * Create a user. Links the identity with this e-mail address at the identity provider, or creates one and sends an e-mail to set a
     * password. The user is created even if that e-mail cannot be sent. Only a Global user can create a Global user.
     */
    create: Mutation<UsersCreateInput, UsersCreateOutput, UsersCreateErrorCode>;
    /**
     * List users. Newest first, without deleted users. To list the members of one tenant with their personas, use
     * `/api/tenants/{tenantId}/users`.
     */
    list: Query<UsersListInput | void, UsersListOutput, UsersListErrorCode>;
    /** Get a user. A deleted user is 404. */
    get: Query<UsersGetInput, UsersGetOutput, UsersGetErrorCode>;
    /**
     * Update a user. The e-mail address of the identity at the identity provider is not changed. Only a Global user can change a Global
     * user or make a user Global.
     */
    update: Mutation<UsersUpdateInput, UsersUpdateOutput, UsersUpdateErrorCode>;
    /**
     * Delete a user. Soft-deletes the user. The identity at the identity provider is not changed. Only a Global user can delete a Global
     * user.
     */
    remove: Mutation<UsersRemoveInput, UsersRemoveOutput, UsersRemoveErrorCode>;
  };
  memberships: {
    /**
     * List tenants of a user. Newest first, in one list without pages. Contains also inactive tenants, and those in which the user has no
     * persona.
     */
    list: Query<MembershipsListInput, MembershipsListOutput, MembershipsListErrorCode>;
    /**
     * Assign a user to a tenant. Creates the membership, or changes its persona if it exists. A new membership has the organization scope
     * ALL.
     */
    assign: Mutation<MembershipsAssignInput, MembershipsAssignOutput, MembershipsAssignErrorCode>;
    /** Remove a user from a tenant. Deletes the membership with its organization scope. Also returns 204 if there is no membership. */
    remove: Mutation<MembershipsRemoveInput, MembershipsRemoveOutput, MembershipsRemoveErrorCode>;
    /** List users of a tenant. Newest first, in one list without pages. Each user has the persona in this tenant. */
    users: Query<MembershipsUsersInput, MembershipsUsersOutput, MembershipsUsersErrorCode>;
  };
  organizationScopes: {
    /** Get the scope of a member. Returns which organizations of the tenant the member can access. */
    get: Query<OrganizationScopesGetInput, OrganizationScopesGetOutput, OrganizationScopesGetErrorCode>;
    /** Replace the scope of a member. Replaces the scope and all grants. Every granted organization must be linked to the tenant. */
    set: Mutation<OrganizationScopesSetInput, OrganizationScopesSetOutput, OrganizationScopesSetErrorCode>;
  };
  customers: {
    /** Create a customer. The customer has no tenants at first: create one for each app that runs for it. */
    create: Mutation<CustomersCreateInput, CustomersCreateOutput, CustomersCreateErrorCode>;
    /** List customers. Newest first, with inactive customers. */
    list: Query<CustomersListInput | void, CustomersListOutput, CustomersListErrorCode>;
    /** Get a customer. Returns an active or an inactive customer. */
    get: Query<CustomersGetInput, CustomersGetOutput, CustomersGetErrorCode>;
    /** Update a customer. `federalTaxId` cannot be changed. `active` has no effect on the tenants of the customer. */
    update: Mutation<CustomersUpdateInput, CustomersUpdateOutput, CustomersUpdateErrorCode>;
    /** Delete a customer. The customer must have no tenants and no users. */
    remove: Mutation<CustomersRemoveInput, CustomersRemoveOutput, CustomersRemoveErrorCode>;
  };
  apps: {
    /** Create an app. The app has no tenants at first: create one for each customer that it runs for. */
    create: Mutation<AppsCreateInput, AppsCreateOutput, AppsCreateErrorCode>;
    /** List apps. Newest first. The apps are those of the whole platform. */
    list: Query<AppsListInput | void, AppsListOutput, AppsListErrorCode>;
    /** Get an app. Returns the name of the app. To see where it runs, list the tenants. */
    get: Query<AppsGetInput, AppsGetOutput, AppsGetErrorCode>;
    /** Update an app. Changes the name. The names of its tenants stay as they are. */
    update: Mutation<AppsUpdateInput, AppsUpdateOutput, AppsUpdateErrorCode>;
    /** Delete an app. The app must have no tenants. */
    remove: Mutation<AppsRemoveInput, AppsRemoveOutput, AppsRemoveErrorCode>;
  };
  tenants: {
    /** Create a tenant. Creates an instance of an app for a customer. The tenant has no members and no organizations at first. */
    create: Mutation<TenantsCreateInput, TenantsCreateOutput, TenantsCreateErrorCode>;
    /** List tenants. Newest first, with inactive tenants. To list the tenants of the caller, use `/api/me/tenants`. */
    list: Query<TenantsListInput | void, TenantsListOutput, TenantsListErrorCode>;
    /** Get a tenant. With a persona alone, a user can get the active tenant only. Another tenant is 404. */
    get: Query<TenantsGetInput, TenantsGetOutput, TenantsGetErrorCode>;
    /** Update a tenant. Deactivating a tenant takes effect on the next request of its users and its application. */
    update: Mutation<TenantsUpdateInput, TenantsUpdateOutput, TenantsUpdateErrorCode>;
    /**
     * Delete a tenant. Deletes the tenant with its memberships, organization scopes and organization links. Organizations and files are
     * kept. Only Global users can then see its files that belong to no organization.
     */
    remove: Mutation<TenantsRemoveInput, TenantsRemoveOutput, TenantsRemoveErrorCode>;
    /**
     * List organizations of a tenant. Returns the organizations in the caller's scope in one list, without pages. With a persona alone, a
     * user can list those of the active tenant only. Another tenant is 404.
     */
    organizations: Query<TenantsOrganizationsInput, TenantsOrganizationsOutput, TenantsOrganizationsErrorCode>;
  };
  organizations: {
    /**
     * Create an organization. Creates the organization with its current address and its contacts in one transaction. With an active tenant,
     * links it to that tenant.
     */
    create: Mutation<OrganizationsCreateInput, OrganizationsCreateOutput, OrganizationsCreateErrorCode>;
    /** List organizations. Newest first. Contains the organizations in the caller's scope. */
    list: Query<OrganizationsListInput | void, OrganizationsListOutput, OrganizationsListErrorCode>;
    /**
     * Get an organization. Returns the organization without its addresses and contacts, which have operations of their own. One outside the
     * caller's scope is 404.
     */
    get: Query<OrganizationsGetInput, OrganizationsGetOutput, OrganizationsGetErrorCode>;
    /** Update an organization. Addresses and contacts have operations of their own. */
    update: Mutation<OrganizationsUpdateInput, OrganizationsUpdateOutput, OrganizationsUpdateErrorCode>;
    /**
     * Delete an organization. Soft-deletes the organization. Its addresses, contacts, links and documents are no longer visible. If other
     * tenants are linked, only a Global user without an active tenant can delete it.
     */
    remove: Mutation<OrganizationsRemoveInput, OrganizationsRemoveOutput, OrganizationsRemoveErrorCode>;
  };
  organizationAddresses: {
    /**
     * Create an organization address. The new address becomes the current one. The previous one is closed: its `validTo` becomes the
     * `validFrom` of the new one.
     */
    create: Mutation<OrganizationAddressesCreateInput, OrganizationAddressesCreateOutput, OrganizationAddressesCreateErrorCode>;
    /** List organization addresses. Newest first. Contains the addresses of the organizations in the caller's scope. */
    list: Query<OrganizationAddressesListInput | void, OrganizationAddressesListOutput, OrganizationAddressesListErrorCode>;
    /** Get an organization address. Returns a current or a closed address. One outside the caller's scope is 404. */
    get: Query<OrganizationAddressesGetInput, OrganizationAddressesGetOutput, OrganizationAddressesGetErrorCode>;
    /** Update an organization address. Corrects the current address without a new period. A closed address cannot be changed. */
    update: Mutation<OrganizationAddressesUpdateInput, OrganizationAddressesUpdateOutput, OrganizationAddressesUpdateErrorCode>;
    /**
     * Delete an organization address. After the current address is deleted, the organization has none. The periods of its other addresses
     * are not changed.
     */
    remove: Mutation<OrganizationAddressesRemoveInput, OrganizationAddressesRemoveOutput, OrganizationAddressesRemoveErrorCode>;
  };
  organizationContacts: {
    /** Create an organization contact. If the new contact is primary, the previous primary contact is kept, but is no longer primary. */
    create: Mutation<OrganizationContactsCreateInput, OrganizationContactsCreateOutput, OrganizationContactsCreateErrorCode>;
    /** List organization contacts. Newest first. Contains the contacts of the organizations in the caller's scope. */
    list: Query<OrganizationContactsListInput | void, OrganizationContactsListOutput, OrganizationContactsListErrorCode>;
    /** Get an organization contact. A contact outside the caller's scope is 404. */
    get: Query<OrganizationContactsGetInput, OrganizationContactsGetOutput, OrganizationContactsGetErrorCode>;
    /** Update an organization contact. The value is checked against the type if both are sent. */
    update: Mutation<OrganizationContactsUpdateInput, OrganizationContactsUpdateOutput, OrganizationContactsUpdateErrorCode>;
    /** Delete an organization contact. If it was the primary contact, the organization has none afterwards. */
    remove: Mutation<OrganizationContactsRemoveInput, OrganizationContactsRemoveOutput, OrganizationContactsRemoveErrorCode>;
  };
  documentTypes: {
    /** Create a document type. The type is available to all tenants. */
    create: Mutation<DocumentTypesCreateInput, DocumentTypesCreateOutput, DocumentTypesCreateErrorCode>;
    /** List document types. Newest first. The types are the same for all tenants. */
    list: Query<DocumentTypesListInput | void, DocumentTypesListOutput, DocumentTypesListErrorCode>;
    /** Get a document type. Returns an active or an inactive type. */
    get: Query<DocumentTypesGetInput, DocumentTypesGetOutput, DocumentTypesGetErrorCode>;
    /** Update a document type. Setting `hasExpiration` to false also sets `defaultValidityDays` to null. */
    update: Mutation<DocumentTypesUpdateInput, DocumentTypesUpdateOutput, DocumentTypesUpdateErrorCode>;
    /** Delete a document type. No record of this service refers to document types, so a type can always be deleted. */
    remove: Mutation<DocumentTypesRemoveInput, DocumentTypesRemoveOutput, DocumentTypesRemoveErrorCode>;
  };
  states: {
    /** Create a state. Rarely needed: the installation loads the 27 states of Brazil. */
    create: Mutation<StatesCreateInput, StatesCreateOutput, StatesCreateErrorCode>;
    /** List states. Ordered by name, in Portuguese alphabetical order. */
    list: Query<StatesListInput | void, StatesListOutput, StatesListErrorCode>;
    /** Get a state. The key is the IBGE code, not the abbreviation. */
    get: Query<StatesGetInput, StatesGetOutput, StatesGetErrorCode>;
    /** Update a state. `stateCode` cannot be changed. */
    update: Mutation<StatesUpdateInput, StatesUpdateOutput, StatesUpdateErrorCode>;
    /** Delete a state. The state must have no cities and no addresses. */
    remove: Mutation<StatesRemoveInput, StatesRemoveOutput, StatesRemoveErrorCode>;
  };
  cities: {
    /** Create a city. Rarely needed: the installation loads the 5,571 cities of Brazil. */
    create: Mutation<CitiesCreateInput, CitiesCreateOutput, CitiesCreateErrorCode>;
    /** List cities. Ordered by name, in Portuguese alphabetical order. */
    list: Query<CitiesListInput | void, CitiesListOutput, CitiesListErrorCode>;
    /** Get a city. The key is the IBGE code. */
    get: Query<CitiesGetInput, CitiesGetOutput, CitiesGetErrorCode>;
    /** Update a city. `ibgeCode` cannot be changed. Another `stateCode` also changes that of the addresses in the city. */
    update: Mutation<CitiesUpdateInput, CitiesUpdateOutput, CitiesUpdateErrorCode>;
    /** Delete a city. The city must have no addresses. */
    remove: Mutation<CitiesRemoveInput, CitiesRemoveOutput, CitiesRemoveErrorCode>;
  };
  attachments: {
    /** List attachments. Newest first, without the files. Contains the attachments in the caller's scope. */
    list: Query<AttachmentsListInput | void, AttachmentsListOutput, AttachmentsListErrorCode>;
    /** Update an attachment. Changes the metadata. The file itself cannot be replaced: upload a new one. */
    update: Mutation<AttachmentsUpdateInput, AttachmentsUpdateOutput, AttachmentsUpdateErrorCode>;
    /** Delete an attachment. Soft-deletes the attachment and removes its file from the storage. */
    remove: Mutation<AttachmentsRemoveInput, AttachmentsRemoveOutput, AttachmentsRemoveErrorCode>;
  };
  me: {
    /** List my tenants. Contains the tenants that the caller can work in: they are active, and the caller has a persona in them. */
    tenants: Query<void, MeTenantsOutput, MeTenantsErrorCode>;
    /**
     * Get my permissions. Describes the caller, and what the caller may do with this token in the active tenant. A frontend uses it to show
     * what is possible.
     */
    permissions: Query<void, MePermissionsOutput, MePermissionsErrorCode>;
  };
  cooperatives: {
    /** List cooperatives. Returns a placeholder until the source of cooperatives is connected. */
    list: Query<void, CooperativesListOutput, CooperativesListErrorCode>;
  };
  auditEntries: {
    /**
     * List audit entries. Newest first, in pages without totals: send `nextCursor` as `cursor` until it is null. Contains the entries of
     * the active tenant and of the organizations in the caller's scope; all entries for a Global user without an active tenant.
     */
    list: Query<AuditEntriesListInput | void, AuditEntriesListOutput, AuditEntriesListErrorCode>;
  };
  events: {
    /**
     * List events. Oldest first. Store `nextCursor`, and send it as `cursor` of the next request: a reader gets each event once, and the
     * events of a record in the order of its changes. Contains the events of the active tenant and of the organizations in scope, about
     * records that the caller may read; all events for a Global user without an active tenant. A member whose organization scope is
     * RESTRICTED gets 403.
     */
    list: Query<EventsListInput | void, EventsListOutput, EventsListErrorCode>;
  };
  webhooks: {
    /**
     * Create a webhook. The webhook gets the events after its creation. Store the `secret` of the response, with which you verify the
     * requests: no other response contains it.
     */
    create: Mutation<WebhooksCreateInput, WebhooksCreateOutput, WebhooksCreateErrorCode>;
    /**
     * List webhooks. Newest first. With an active tenant, contains the webhooks of that tenant; for a Global user without one, all
     * webhooks.
     */
    list: Query<WebhooksListInput | void, WebhooksListOutput, WebhooksListErrorCode>;
    /** Get a webhook. Returns the webhook without its secret. */
    get: Query<WebhooksGetInput, WebhooksGetOutput, WebhooksGetErrorCode>;
    /** Update a webhook. With `active: true`, also enables a disabled webhook again. The tenant and the secret cannot be changed here. */
    update: Mutation<WebhooksUpdateInput, WebhooksUpdateOutput, WebhooksUpdateErrorCode>;
    /** Delete a webhook. No further request is sent to its URL. */
    remove: Mutation<WebhooksRemoveInput, WebhooksRemoveOutput, WebhooksRemoveErrorCode>;
    /**
     * Rotate the secret of a webhook. Returns a new secret. For 24 hours, requests have two signatures: one with the new secret and one
     * with the previous one. A further rotation within this time ends the older of the two.
     */
    rotateSecret: Mutation<WebhooksRotateSecretInput, WebhooksRotateSecretOutput, WebhooksRotateSecretErrorCode>;
    /**
     * Test a webhook. Sends one event of the type `webhook.test` to the URL now, also if the webhook is inactive or disabled, and returns
     * the attempt. There is no retry, and no delivery.
     */
    test: Mutation<WebhooksTestInput, WebhooksTestOutput, WebhooksTestErrorCode>;
    /**
     * Replay events to a webhook. Sends the events of a time again, oldest first and with their ids, as deliveries of their own. Also sends
     * events from before the creation of the webhook. The response comes before the deliveries are created.
     */
    replay: Mutation<WebhooksReplayInput, WebhooksReplayOutput, WebhooksReplayErrorCode>;
  };
  webhookDeliveries: {
    /**
     * List deliveries of a webhook. Newest first, in pages without totals: send `nextCursor` as `cursor` until it is null. Deliveries that
     * have ended are deleted 30 days after their creation.
     */
    list: Query<WebhookDeliveriesListInput, WebhookDeliveriesListOutput, WebhookDeliveriesListErrorCode>;
    /** Get a delivery of a webhook. Returns the delivery with all its attempts. */
    get: Query<WebhookDeliveriesGetInput, WebhookDeliveriesGetOutput, WebhookDeliveriesGetErrorCode>;
    /**
     * Retry a delivery. Sends the event again now, whatever the status of the delivery; after the earlier events of its record, if some are
     * pending. An inactive or disabled webhook sends it when it is active again.
     */
    retry: Mutation<WebhookDeliveriesRetryInput, WebhookDeliveriesRetryOutput, WebhookDeliveriesRetryErrorCode>;
    /**
     * Skip a delivery. A pending delivery becomes `FAILED`, and the next event of its record is sent. Does not change a delivery that has
     * ended.
     */
    skip: Mutation<WebhookDeliveriesSkipInput, WebhookDeliveriesSkipOutput, WebhookDeliveriesSkipErrorCode>;
  };
  imports: {
    /**
     * List imports. Newest first, in pages without totals: send `nextCursor` as `cursor` until it is null. Contains the imports of the
     * active tenant; all imports for a Global user without one.
     */
    list: Query<ImportsListInput | void, ImportsListOutput, ImportsListErrorCode>;
    /** Get an import. Returns how far the import is. */
    get: Query<ImportsGetInput, ImportsGetOutput, ImportsGetErrorCode>;
    /** Cancel an import. The rows that are done stay. */
    cancel: Mutation<ImportsCancelInput, ImportsCancelOutput, ImportsCancelErrorCode>;
  };
  service: {
    users: {
      /**
       * Provision a user. The tenant is that of the token. Creates the user, unless one has both this tax id and this e-mail address, and
       * assigns the persona in the tenant. A repeated request returns 201 with the same user.
       */
      create: Mutation<ServiceUsersCreateInput, ServiceUsersCreateOutput, ServiceUsersCreateErrorCode>;
    };
    organizations: {
      /** List linked organizations. Newest first. Contains the organizations linked to the token's tenant. */
      list: Query<ServiceOrganizationsListInput | void, ServiceOrganizationsListOutput, ServiceOrganizationsListErrorCode>;
      /**
       * Create a linked organization. Creates the organization with its current address and its contacts, linked to the token's tenant, in
       * one transaction.
       */
      create: Mutation<ServiceOrganizationsCreateInput, ServiceOrganizationsCreateOutput, ServiceOrganizationsCreateErrorCode>;
      /** Link an organization. Links the organization to the token's tenant. Also returns 201 if the link exists. */
      link: Mutation<ServiceOrganizationsLinkInput, ServiceOrganizationsLinkOutput, ServiceOrganizationsLinkErrorCode>;
      /**
       * Unlink an organization. Deletes the link to the token's tenant, with the grants on the organization in this tenant. The
       * organization is kept. Also returns 204 if there is no link.
       */
      unlink: Mutation<ServiceOrganizationsUnlinkInput, ServiceOrganizationsUnlinkOutput, ServiceOrganizationsUnlinkErrorCode>;
      /** Find an organization by tax id. Searches all organizations, and links the organization found to the token's tenant. */
      findByFederalTaxId: Query<
        ServiceOrganizationsFindByFederalTaxIdInput,
        ServiceOrganizationsFindByFederalTaxIdOutput,
        ServiceOrganizationsFindByFederalTaxIdErrorCode
      >;
    };
    documents: {
      /** List documents. Newest first. Contains the documents of the organizations linked to the token's tenant. */
      list: Query<ServiceDocumentsListInput | void, ServiceDocumentsListOutput, ServiceDocumentsListErrorCode>;
    };
    cooperatives: {
      /** List cooperatives as an application. Returns a placeholder until the source of cooperatives is connected. */
      list: Query<void, ServiceCooperativesListOutput, ServiceCooperativesListErrorCode>;
    };
    auditEntries: {
      /**
       * List audit entries as an application. Newest first, in pages without totals: send `nextCursor` as `cursor` until it is null.
       * Contains the entries of the token's tenant and of the organizations linked to it.
       */
      list: Query<ServiceAuditEntriesListInput | void, ServiceAuditEntriesListOutput, ServiceAuditEntriesListErrorCode>;
    };
    events: {
      /**
       * List events as an application. Oldest first. Store `nextCursor`, and send it as `cursor` of the next request: a reader gets each
       * event once, and the events of a record in the order of its changes. Contains the events of the organizations linked to the token's
       * tenant, with their addresses, contacts, links and documents; of the memberships of the tenant; and of its members, with name,
       * e-mail, type and job title.
       */
      list: Query<ServiceEventsListInput | void, ServiceEventsListOutput, ServiceEventsListErrorCode>;
    };
  };
};

/** The subscriptions of the service, for tRPC's own links. */
export type Subscriptions = {
  events: {
    /**
     * Stream events. The events of `GET /api/events`, as they happen. Server-sent events: `id` is the cursor after the event, `event` its
     * type, `data` the event. Without `cursor` and `startDate` the stream starts now. A message with an `id` alone comes at least every 15
     * seconds. The service ends a stream after about 15 minutes, and when access ends: connect again with `Last-Event-ID`, as `EventSource`
     * does.
     */
    stream: Subscription<EventsStreamInput | void, EventsStreamOutput, EventsStreamErrorCode>;
  };
  service: {
    events: {
      /**
       * Stream events as an application. The events of `GET /service/events`, as they happen. Server-sent events: `id` is the cursor after
       * the event, `event` its type, `data` the event. Without `cursor` and `startDate` the stream starts now. A message with an `id` alone
       * comes at least every 15 seconds. The service ends a stream after about 15 minutes, and when access ends: connect again with
       * `Last-Event-ID`, as `EventSource` does.
       */
      stream: Subscription<ServiceEventsStreamInput | void, ServiceEventsStreamOutput, ServiceEventsStreamErrorCode>;
    };
  };
};

/** The exports of the service, over REST. */
export type Exports = {
  users: {
    /**
     * Export users. Returns everything that the list with the same filters and sort shows, as one file. It shows one moment, and the
     * connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV cell that a
     * spreadsheet could run as a formula begins with an apostrophe.
     */
    export: ExportedRecords<UsersExportInput | void, UsersExportErrorCode>;
  };
  customers: {
    /**
     * Export customers. Returns everything that the list with the same filters and sort shows, as one file. It shows one moment, and the
     * connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV cell that a
     * spreadsheet could run as a formula begins with an apostrophe.
     */
    export: ExportedRecords<CustomersExportInput | void, CustomersExportErrorCode>;
  };
  organizations: {
    /**
     * Export organizations. Returns everything that the list with the same filters and sort shows, as one file. It shows one moment, and
     * the connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV cell that a
     * spreadsheet could run as a formula begins with an apostrophe.
     */
    export: ExportedRecords<OrganizationsExportInput | void, OrganizationsExportErrorCode>;
  };
  organizationAddresses: {
    /**
     * Export organization addresses. Returns everything that the list with the same filters and sort shows, as one file. It shows one
     * moment, and the connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV
     * cell that a spreadsheet could run as a formula begins with an apostrophe.
     */
    export: ExportedRecords<OrganizationAddressesExportInput | void, OrganizationAddressesExportErrorCode>;
  };
  organizationContacts: {
    /**
     * Export organization contacts. Returns everything that the list with the same filters and sort shows, as one file. It shows one
     * moment, and the connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV
     * cell that a spreadsheet could run as a formula begins with an apostrophe.
     */
    export: ExportedRecords<OrganizationContactsExportInput | void, OrganizationContactsExportErrorCode>;
  };
  auditEntries: {
    /**
     * Export audit entries. Returns everything that the list with the same filters and sort shows, as one file. It shows one moment, and
     * the connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV cell that a
     * spreadsheet could run as a formula begins with an apostrophe.
     */
    export: ExportedRecords<AuditEntriesExportInput | void, AuditEntriesExportErrorCode>;
  };
  imports: {
    /** Get a template of an import. Returns a file with a header row and an example row. */
    template: ExportedRecords<ImportsTemplateInput, ImportsTemplateErrorCode>;
    /**
     * Get the results of an import. Returns one line for each row that was done so far. CSV has the delimiter and the byte order mark of
     * the uploaded file, and its columns after those of the result, so that a corrected file can be sent again.
     */
    results: ExportedRecords<ImportsResultsInput, ImportsResultsErrorCode>;
  };
  service: {
    organizations: {
      /**
       * Export linked organizations. Returns everything that the list with the same filters and sort shows, as one file. It shows one
       * moment, and the connection breaks if it cannot be completed. Adds an audit entry with the filters and the number of records. A CSV
       * cell that a spreadsheet could run as a formula begins with an apostrophe.
       */
      export: ExportedRecords<ServiceOrganizationsExportInput | void, ServiceOrganizationsExportErrorCode>;
    };
  };
};
