// Generated from packages/contracts by `pnpm client:generate`. Do not edit.

import type { ErrorCode } from './errors.ts';

/** Kind of record that a file belongs to. DOCUMENT: a document of an organization. */
export type AttachmentEntityType = 'DOCUMENT' | 'ORGANIZATION' | 'CUSTOMER' | 'USER';

export interface Attachment {
  /** Id of the attachment. */
  id: string;
  /** Kind of record that the file belongs to. */
  entityType: AttachmentEntityType;
  /** Key of the file in the object storage. The storage has no public URL: download the file by the id. */
  filePath: string;
  /** File name that the client sent. */
  originalFilename: string;
  /** Description of the file. */
  description: string | null;
  /** True if the file was not uploaded by a user of this service. */
  external: boolean;
  /** Id of the record that the file belongs to. */
  entityId: string | null;
  /** Id of the user who uploaded the file. */
  userId: string;
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
}

export interface AttachmentCreate {
  /** Kind of record that the file belongs to. Default: DOCUMENT. */
  entityType?: AttachmentEntityType | undefined;
  /** Id of the record that the file belongs to. */
  entityId?: string | null | undefined;
  /** Description of the file. */
  description?: string | null | undefined;
}

export interface AttachmentUpdate {
  /** Id of the record that the file belongs to. */
  entityId?: string | null | undefined;
  /** Description of the file. */
  description?: string | null | undefined;
}

export interface AttachmentPage {
  /** Records of this page. */
  data: Attachment[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface App {
  /** Id of the app. */
  id: string;
  /** Name of the app. Unique. */
  name: string;
}

export interface AppCreate {
  /** Name of the app. Unique. */
  name: string;
}

export interface AppUpdate {
  /** Name of the app. Unique. */
  name?: string | undefined;
}

export interface AppPage {
  /** Records of this page. */
  data: App[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

/** Type of a record that the API shows. */
export type RecordType =
  | 'user'
  | 'membership'
  | 'organizationScope'
  | 'customer'
  | 'app'
  | 'tenant'
  | 'organization'
  | 'organizationLink'
  | 'organizationAddress'
  | 'organizationContact'
  | 'documentType'
  | 'state'
  | 'city'
  | 'attachment';

export interface FieldChange {
  /** Name of the field. */
  field: string;
  /** Value before the change; null for a creation. `{ "omitted": <bytes> }` stands for a value over 8 KiB. */
  before: unknown;
  /** Value after the change; null for a deletion. `{ "omitted": <bytes> }` stands for a value over 8 KiB. */
  after: unknown;
}

export interface AuditActor {
  /** A user, an application, or the service itself. */
  kind: 'USER' | 'APPLICATION' | 'SYSTEM';
  /** Id of the user, or of the application's tenant. Null for SYSTEM, and for an actor who is not of the caller's active tenant. */
  id: string | null;
}

export interface AuditRecord {
  /** Type of the record. Null if the operation is about no record. */
  type: RecordType | null;
  /** Id of the record. `<userId>:<tenantId>` for memberships and scopes, `<organizationId>:<tenantId>` for links. */
  id: string | null;
}

export interface RelatedRecord {
  /** Type of the record. */
  type: RecordType;
  /** Id of the record. */
  id: string;
  /** Changed fields. Null if the caller may not read records of this type. */
  changes: FieldChange[] | null;
}

export interface AuditEntry {
  /** Id of the entry. */
  id: string;
  /** When the change was committed, or the request refused. */
  occurredAt: string;
  /** COMMITTED: the change was made. REFUSED: the request got 403. */
  outcome: 'COMMITTED' | 'REFUSED';
  /** Error code of a refused request, otherwise null. */
  code: string | null;
  /** Who made the request. */
  actor: AuditActor;
  /** Id of the request. Not unique: clients may choose it, and the calls of a batch share it. */
  requestId: string | null;
  /** Name of the procedure, also over REST. */
  operation: string;
  /** Tenant of the record, or active tenant of the actor. Null if the caller may not see who the actor is. */
  tenantId: string | null;
  /** Organization that the record is or belongs to. */
  organizationId: string | null;
  /** What was changed, or what the refused request named. */
  record: AuditRecord;
  /** Changed fields of the record. Null if the caller may not read records of this type. */
  changes: FieldChange[] | null;
  /** Other records that were changed with it. */
  related: RelatedRecord[];
  /** Numbers of records, by type, that a deletion removed or hid. */
  cascade: Record<string, number>;
}

export interface AuditEntryList {
  /** Entries, newest first. */
  data: AuditEntry[];
  /** Cursor of the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface City {
  /** IBGE code of the city. */
  ibgeCode: number;
  /** Name of the city. */
  name: string;
  /** Latitude in degrees. */
  latitude: number;
  /** Longitude in degrees. */
  longitude: number;
  /** Whether the city is the capital of its state. */
  capital: boolean;
  /** IBGE code of the state. */
  stateCode: number;
  /** SIAFI code of the city, 1 to 4 characters. Unique. */
  siafiId: string;
  /** Telephone area code (DDD). */
  ddd: number;
  /** IANA name of the time zone, such as America/Sao_Paulo. */
  timeZone: string;
}

export interface CityCreate {
  /** IBGE code of the city. */
  ibgeCode: number;
  /** Name of the city. */
  name: string;
  /** Latitude in degrees. */
  latitude: number;
  /** Longitude in degrees. */
  longitude: number;
  /** Whether the city is the capital of its state. */
  capital: boolean;
  /** IBGE code of the state. */
  stateCode: number;
  /** SIAFI code of the city, 1 to 4 characters. Unique. */
  siafiId: string;
  /** Telephone area code (DDD). */
  ddd: number;
  /** IANA name of the time zone, such as America/Sao_Paulo. */
  timeZone: string;
}

export interface CityUpdate {
  /** Name of the city. */
  name?: string | undefined;
  /** Latitude in degrees. */
  latitude?: number | undefined;
  /** Longitude in degrees. */
  longitude?: number | undefined;
  /** Whether the city is the capital of its state. */
  capital?: boolean | undefined;
  /** IBGE code of the state. */
  stateCode?: number | undefined;
  /** SIAFI code of the city, 1 to 4 characters. Unique. */
  siafiId?: string | undefined;
  /** Telephone area code (DDD). */
  ddd?: number | undefined;
  /** IANA name of the time zone, such as America/Sao_Paulo. */
  timeZone?: string | undefined;
}

export interface CityPage {
  /** Records of this page. */
  data: City[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface Cooperatives {
  /** Id of the calling user, or of the tenant of the calling application. */
  caller: string;
  /** A placeholder with one text, until the source of cooperatives is connected. */
  data: string[];
}

export interface Customer {
  /** Id of the customer. */
  id: string;
  /** Federal tax id (CPF or CNPJ), 11 to 14 characters. Unique; cannot be changed. */
  federalTaxId: string;
  /** Legal name. */
  name: string;
  /** Trade name. */
  alias: string | null;
  /** Contact e-mail address. Stored trimmed and in lower case. */
  email: string | null;
  /** Contact telephone number. */
  phone: string | null;
  /** URL or path of the logo. */
  logoPath: string | null;
  /** Whether the customer is active. Informational: the service does not act on it. */
  active: boolean;
}

export interface CustomerCreate {
  /** Federal tax id (CPF or CNPJ), 11 to 14 characters. Unique; cannot be changed. */
  federalTaxId: string;
  /** Legal name. */
  name: string;
  /** Trade name. */
  alias?: string | null | undefined;
  /** Contact e-mail address. Stored trimmed and in lower case. */
  email?: string | null | undefined;
  /** Contact telephone number. */
  phone?: string | null | undefined;
  /** URL or path of the logo. */
  logoPath?: string | null | undefined;
  /** Whether the customer is active. Informational: the service does not act on it. Default: true. */
  active?: boolean | undefined;
}

export interface CustomerUpdate {
  /** Legal name. */
  name?: string | undefined;
  /** Trade name. */
  alias?: string | null | undefined;
  /** Contact e-mail address. Stored trimmed and in lower case. */
  email?: string | null | undefined;
  /** Contact telephone number. */
  phone?: string | null | undefined;
  /** URL or path of the logo. */
  logoPath?: string | null | undefined;
  /** Whether the customer is active. Informational: the service does not act on it. */
  active?: boolean | undefined;
}

export interface CustomerCreated {
  /** Id of the customer. */
  id: string;
  /** Federal tax id (CPF or CNPJ), 11 to 14 characters. Unique; cannot be changed. */
  federalTaxId: string;
  /** Legal name. */
  name: string;
  /** Trade name. */
  alias: string | null;
  /** Contact e-mail address. Stored trimmed and in lower case. */
  email: string | null;
  /** Contact telephone number. */
  phone: string | null;
  /** Whether the customer is active. Informational: the service does not act on it. */
  active: boolean;
}

export interface CustomerPage {
  /** Records of this page. */
  data: Customer[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface DocumentType {
  /** Id of the document type. */
  id: string;
  /** Name of the document type. Unique. */
  name: string;
  /** Whether a document of this type is required. */
  isRequired: boolean;
  /** Description of the document type. */
  description: string | null;
  /** Whether documents of this type need an approval. */
  requiresApproval: boolean;
  /** Whether documents of this type expire. */
  hasExpiration: boolean;
  /** Days for which a document is valid by default. Null when `hasExpiration` is false. */
  defaultValidityDays: number | null;
  /** Whether documents of this type carry an authenticity code. */
  hasAuthenticityCode: boolean;
  /** Whether the document type is in use. */
  isActive: boolean;
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
}

export interface DocumentTypeCreate {
  /** Name of the document type. Unique. */
  name: string;
  /** Whether a document of this type is required. Default: false. */
  isRequired?: boolean | undefined;
  /** Description of the document type. */
  description?: string | null | undefined;
  /** Whether documents of this type need an approval. Default: false. */
  requiresApproval?: boolean | undefined;
  /** Whether documents of this type expire. Default: false. */
  hasExpiration?: boolean | undefined;
  /** Days for which a document is valid by default. Null when `hasExpiration` is false. */
  defaultValidityDays?: number | null | undefined;
  /** Whether documents of this type carry an authenticity code. Default: false. */
  hasAuthenticityCode?: boolean | undefined;
  /** Whether the document type is in use. Default: true. */
  isActive?: boolean | undefined;
}

export interface DocumentTypeUpdate {
  /** Name of the document type. Unique. */
  name?: string | undefined;
  /** Whether a document of this type is required. */
  isRequired?: boolean | undefined;
  /** Description of the document type. */
  description?: string | null | undefined;
  /** Whether documents of this type need an approval. */
  requiresApproval?: boolean | undefined;
  /** Whether documents of this type expire. */
  hasExpiration?: boolean | undefined;
  /** Days for which a document is valid by default. Null when `hasExpiration` is false. */
  defaultValidityDays?: number | null | undefined;
  /** Whether documents of this type carry an authenticity code. */
  hasAuthenticityCode?: boolean | undefined;
  /** Whether the document type is in use. */
  isActive?: boolean | undefined;
}

export interface DocumentTypePage {
  /** Records of this page. */
  data: DocumentType[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface Document {
  /** Id of the document, which is that of its attachment. */
  id: string;
  /** Organization that the document belongs to. */
  organizationId: string;
  /** File name that the client sent. */
  originalFilename: string;
  /** Description of the file. */
  description: string | null;
  /** True if the file was not uploaded by a user of this service. */
  external: boolean;
  /** Content type of the file. */
  contentType: string;
  /** Size of the file in bytes. */
  size: number;
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
}

export interface DocumentPage {
  /** Records of this page. */
  data: Document[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

/** Kind of user. Global gives full access. The other kinds give no permissions. */
export type UserType = 'Admin' | 'Coordinator' | 'Technician' | 'Cooperative' | 'Global';

/** Role of a user in a tenant. It decides what the user may do there. */
export type Persona = 'tenant-admin' | 'coordinator' | 'technician' | 'viewer';

export interface User {
  /** Id of the user. */
  id: string;
  /** Subject (`sub`) of the user at the identity provider. Unique; set by the service. */
  idIdentity: string;
  /** Full name. */
  name: string;
  /** E-mail address, which is the login. Unique; stored trimmed and in lower case. */
  email: string;
  /** Personal tax id (CPF), 11 digits. Unique; cannot be changed. */
  federalTaxId: string;
  /** Kind of user. Global gives full access. Permissions of other users depend on their persona in each tenant. */
  type: UserType;
  /** Job title. */
  jobTitle: string | null;
  /** Customer that the user works for. */
  customerId: string | null;
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
}

export interface UserCreate {
  /** Full name. */
  name: string;
  /** E-mail address, which is the login. Unique; stored trimmed and in lower case. */
  email: string;
  /** Personal tax id (CPF), 11 digits. Unique; cannot be changed. */
  federalTaxId: string;
  /** Kind of user. Global gives full access. Permissions of other users depend on their persona in each tenant. */
  type: UserType;
  /** Job title. */
  jobTitle?: string | null | undefined;
  /** Customer that the user works for. */
  customerId?: string | null | undefined;
}

export interface UserUpdate {
  /** Full name. */
  name?: string | undefined;
  /** E-mail address, which is the login. Unique; stored trimmed and in lower case. */
  email?: string | undefined;
  /** Kind of user. Global gives full access. Permissions of other users depend on their persona in each tenant. */
  type?: UserType | undefined;
  /** Job title. */
  jobTitle?: string | null | undefined;
  /** Customer that the user works for. */
  customerId?: string | null | undefined;
}

/** Kind of user that an application provisions. */
export type ServiceUserType = 'Admin' | 'Coordinator' | 'Technician' | 'Cooperative';

export interface ServiceUserCreate {
  /** Full name. */
  name: string;
  /** E-mail address, which is the login. Unique; stored trimmed and in lower case. */
  email: string;
  /** Personal tax id (CPF), 11 digits. Unique; cannot be changed. */
  federalTaxId: string;
  /** Job title. */
  jobTitle?: string | null | undefined;
  /** Kind of user. An application cannot create a Global user. */
  type: ServiceUserType;
  /** Persona of the user in the token's tenant. Replaces the persona of an existing membership. */
  persona: Persona;
}

export interface UserPage {
  /** Records of this page. */
  data: User[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface Membership {
  /** Id of the tenant. */
  id: string;
  /** Customer of the tenant. */
  customerId: string;
  /** App of the tenant. */
  appId: string;
  /** Name of the tenant. */
  name: string;
  /** Whether the tenant is active. Neither users nor applications can work in an inactive tenant. */
  active: boolean;
  /** Persona of the user in the tenant. Without one, the user gets 403 for every request in this tenant. */
  persona: Persona | null;
}

export interface MembershipList {
  /** Tenants of the user. */
  data: Membership[];
}

export interface MembershipAssign {
  /** Id of the tenant. */
  tenantId: string;
  /** Persona of the user in the tenant. */
  persona: Persona;
}

export interface MembershipKey {
  /** Id of the user. */
  userId: string;
  /** Id of the tenant. */
  tenantId: string;
}

export interface TenantUser {
  /** Id of the user. */
  id: string;
  /** Full name. */
  name: string;
  /** E-mail address, which is the login. Unique; stored trimmed and in lower case. */
  email: string;
  /** Kind of user. Global gives full access. Permissions of other users depend on their persona in each tenant. */
  type: UserType;
  /** Job title. */
  jobTitle: string | null;
  /** Persona of the user in the tenant. Without one, the user gets 403 for every request in this tenant. */
  persona: Persona | null;
}

export interface TenantUserList {
  /** All members of the tenant. */
  data: TenantUser[];
}

/** An action on a resource. */
export type Scope = 'create' | 'read' | 'update' | 'delete';

export interface Permission {
  /** Resource, such as `resource:organizations`. */
  resource: string;
  /** Actions that the caller may perform on the resource. */
  scopes: Scope[];
}

export interface Permissions {
  /** Id of the user. */
  userId: string;
  /** Full name. */
  name: string;
  /** E-mail address, which is the login. Unique; stored trimmed and in lower case. */
  email: string;
  /** Kind of user. Global gives full access. Permissions of other users depend on their persona in each tenant. */
  type: UserType;
  /** Whether the token has the realm role `super_admin`. */
  isSuperAdmin: boolean;
  /** Active tenant. Null when there is none, or when `X-Tenant-Id` was refused. */
  tenantId: string | null;
  /** Persona of the caller in the active tenant. */
  persona: Persona | null;
  /** What the caller may do, by resource. */
  permissions: Permission[];
  /** Organizations in scope: all, those of the active tenant, those granted to the caller, or none. */
  organizationScope: 'ALL' | 'TENANT' | 'RESTRICTED' | 'NONE';
  /** Granted organizations when `organizationScope` is RESTRICTED, an empty list when it is NONE, otherwise null. */
  allowedOrganizationIds: string[] | null;
}

export interface OrganizationAddress {
  /** Id of the address. */
  id: string;
  /** Organization that the address belongs to. */
  organizationId: string;
  /** Postal code (CEP), 8 characters without a hyphen. */
  zipCode: string;
  /** Street. */
  street: string;
  /** Number in the street. */
  number: string;
  /** Suite, floor or other detail. */
  complement: string | null;
  /** District of the city. */
  district: string | null;
  /** IBGE code of the city. The city must belong to the state. */
  cityCode: number;
  /** IBGE code of the state. */
  stateCode: number;
  /** Country. Default: Brasil, also for null in a request. */
  country: string;
  /** Latitude in degrees. */
  latitude: number | null;
  /** Longitude in degrees. */
  longitude: number | null;
  /** Start of the period in which the address is valid. */
  validFrom: string;
  /** End of the period in which the address was valid. Null for the current address. */
  validTo: string | null;
}

export interface OrganizationAddressCreate {
  /** Postal code (CEP), 8 characters without a hyphen. */
  zipCode: string;
  /** Street. */
  street: string;
  /** Number in the street. */
  number: string;
  /** IBGE code of the city. The city must belong to the state. */
  cityCode: number;
  /** IBGE code of the state. */
  stateCode: number;
  /** Suite, floor or other detail. */
  complement?: string | null | undefined;
  /** District of the city. */
  district?: string | null | undefined;
  /** Latitude in degrees. */
  latitude?: number | null | undefined;
  /** Longitude in degrees. */
  longitude?: number | null | undefined;
  /** Country. Default: Brasil, also for null in a request. */
  country?: string | null | undefined;
  /** Organization that the address belongs to. */
  organizationId: string;
}

export interface OrganizationAddressUpdate {
  /** Postal code (CEP), 8 characters without a hyphen. */
  zipCode?: string | undefined;
  /** Street. */
  street?: string | undefined;
  /** Number in the street. */
  number?: string | undefined;
  /** IBGE code of the city. The city must belong to the state. */
  cityCode?: number | undefined;
  /** IBGE code of the state. */
  stateCode?: number | undefined;
  /** Suite, floor or other detail. */
  complement?: string | null | undefined;
  /** District of the city. */
  district?: string | null | undefined;
  /** Latitude in degrees. */
  latitude?: number | null | undefined;
  /** Longitude in degrees. */
  longitude?: number | null | undefined;
  /** Country. Default: Brasil, also for null in a request. */
  country?: string | null | undefined;
}

export interface OrganizationAddressPage {
  /** Records of this page. */
  data: OrganizationAddress[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

/** Kind of a contact. It decides which values are valid. */
export type ContactType = 'PHONE' | 'EMAIL' | 'URL';

export interface OrganizationContact {
  /** Id of the contact. */
  id: string;
  /** Organization that the contact belongs to. */
  organizationId: string;
  /** Kind of contact. */
  type: ContactType;
  /** Description of the contact, such as "Office". */
  description: string | null;
  /** Telephone number, e-mail address or URL, according to `type`. */
  value: string;
  /** Whether this is the primary contact of the organization. There is at most one. */
  isPrimary: boolean;
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
}

export interface OrganizationContactCreate {
  /** Organization that the contact belongs to. */
  organizationId: string;
  /** Kind of contact. */
  type: ContactType;
  /** Telephone number, e-mail address or URL, according to `type`. */
  value: string;
  /** Description of the contact, such as "Office". */
  description?: string | null | undefined;
  /** Whether this is the primary contact of the organization. There is at most one. Default: false. */
  isPrimary?: boolean | undefined;
}

export interface OrganizationContactUpdate {
  /** Kind of contact. */
  type?: ContactType | undefined;
  /** Telephone number, e-mail address or URL, according to `type`. */
  value?: string | undefined;
  /** Description of the contact, such as "Office". */
  description?: string | null | undefined;
  /** Whether this is the primary contact of the organization. There is at most one. */
  isPrimary?: boolean | undefined;
}

export interface OrganizationContactPage {
  /** Records of this page. */
  data: OrganizationContact[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

/** Organizations of a tenant that a member can access: all, or only granted ones. */
export type OrganizationScopeKind = 'ALL' | 'RESTRICTED';

export interface OrganizationScope {
  /** Saved scope: all organizations of the tenant, or only the granted ones. */
  scope: OrganizationScopeKind;
  /** Granted organizations. Empty when `scope` is ALL. */
  organizationIds: string[];
  /** Scope that applies. ALL_BY_PERSONA: a tenant-admin sees all organizations, whatever scope is saved. */
  effectiveScope: 'ALL' | 'RESTRICTED' | 'ALL_BY_PERSONA';
}

export interface OrganizationScopeSet {
  /** Saved scope: all organizations of the tenant, or only the granted ones. */
  scope: OrganizationScopeKind;
  /** Organizations to grant. Required if `scope` is RESTRICTED, ignored if it is ALL. An empty list grants none. */
  organizationIds?: string[] | undefined;
}

export interface Organization {
  /** Id of the organization. */
  id: string;
  /** Legal name. */
  name: string;
  /** Trade name. */
  alias: string | null;
  /** Federal tax id (CNPJ or CPF), 11 to 14 characters. Unique; cannot be changed. */
  federalTaxId: string;
  /** State tax id (inscrição estadual). */
  stateTaxId: string | null;
  /** Municipal tax id (inscrição municipal). */
  municipalTaxId: string | null;
  /** URL or path of the logo. */
  logoPath: string | null;
  /** Whether the organization is active. Informational: the service does not act on it. */
  active: boolean;
  /** Whether the organization may be listed publicly. Informational: the service does not act on it. */
  listed: boolean;
  /** JSON object of your own. At most 64 KiB of JSON text in a request. */
  metadata: Record<string, unknown> | null;
  /** Current address. Null when it was deleted. */
  organizationAddressId: string | null;
  /** When the record was created. */
  createdAt: string;
  /** When the record was last changed. */
  updatedAt: string;
  /** When the organization was deleted. Always null in responses, since deleted organizations are not returned. */
  deletedAt: string | null;
}

export interface OrganizationAddressInput {
  /** Postal code (CEP), 8 characters without a hyphen. */
  zipCode: string;
  /** Street. */
  street: string;
  /** Number in the street. */
  number: string;
  /** IBGE code of the city. The city must belong to the state. */
  cityCode: number;
  /** IBGE code of the state. */
  stateCode: number;
  /** Suite, floor or other detail. */
  complement?: string | null | undefined;
  /** District of the city. */
  district?: string | null | undefined;
  /** Latitude in degrees. */
  latitude?: number | null | undefined;
  /** Longitude in degrees. */
  longitude?: number | null | undefined;
  /** Country. Default: Brasil, also for null in a request. */
  country?: string | null | undefined;
}

export interface OrganizationContactInput {
  /** Kind of contact. */
  type: ContactType;
  /** Telephone number, e-mail address or URL, according to `type`. */
  value: string;
  /** Description of the contact, such as "Office". */
  description?: string | null | undefined;
  /** Whether this is the primary contact of the organization. There is at most one. Default: false. */
  isPrimary?: boolean | undefined;
}

export interface OrganizationCreate {
  /** Federal tax id (CNPJ or CPF), 11 to 14 characters. Unique; cannot be changed. */
  federalTaxId: string;
  /** Current address of the organization. */
  address: OrganizationAddressInput;
  /** Legal name. */
  name: string;
  /** Trade name. */
  alias?: string | null | undefined;
  /** State tax id (inscrição estadual). */
  stateTaxId?: string | null | undefined;
  /** Municipal tax id (inscrição municipal). */
  municipalTaxId?: string | null | undefined;
  /** URL or path of the logo. */
  logoPath?: string | null | undefined;
  /** Whether the organization is active. Informational: the service does not act on it. Default: true. */
  active?: boolean | undefined;
  /** Whether the organization may be listed publicly. Informational: the service does not act on it. Default: true. */
  listed?: boolean | undefined;
  /** JSON object of your own. At most 64 KiB of JSON text in a request. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Contacts of the organization, at most 1,000. */
  contacts?: OrganizationContactInput[] | undefined;
}

export interface OrganizationUpdate {
  /** Legal name. */
  name?: string | undefined;
  /** Trade name. */
  alias?: string | null | undefined;
  /** State tax id (inscrição estadual). */
  stateTaxId?: string | null | undefined;
  /** Municipal tax id (inscrição municipal). */
  municipalTaxId?: string | null | undefined;
  /** URL or path of the logo. */
  logoPath?: string | null | undefined;
  /** Whether the organization is active. Informational: the service does not act on it. */
  active?: boolean | undefined;
  /** Whether the organization may be listed publicly. Informational: the service does not act on it. */
  listed?: boolean | undefined;
  /** JSON object of your own. At most 64 KiB of JSON text in a request. */
  metadata?: Record<string, unknown> | null | undefined;
}

export interface OrganizationPage {
  /** Records of this page. */
  data: Organization[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface OrganizationLink {
  /** Id of the organization. */
  organizationId: string;
  /** Id of the tenant. */
  tenantId: string;
}

export interface State {
  /** IBGE code of the state. */
  stateCode: number;
  /** Abbreviation of two letters, such as SP. Unique. */
  uf: string;
  /** Name of the state. */
  name: string;
  /** Latitude in degrees. */
  latitude: number;
  /** Longitude in degrees. */
  longitude: number;
  /** Region of the country, such as Sudeste. */
  region: string;
}

export interface StateCreate {
  /** IBGE code of the state. */
  stateCode: number;
  /** Abbreviation of two letters, such as SP. Unique. */
  uf: string;
  /** Name of the state. */
  name: string;
  /** Latitude in degrees. */
  latitude: number;
  /** Longitude in degrees. */
  longitude: number;
  /** Region of the country, such as Sudeste. */
  region: string;
}

export interface StateUpdate {
  /** Abbreviation of two letters, such as SP. Unique. */
  uf?: string | undefined;
  /** Name of the state. */
  name?: string | undefined;
  /** Latitude in degrees. */
  latitude?: number | undefined;
  /** Longitude in degrees. */
  longitude?: number | undefined;
  /** Region of the country, such as Sudeste. */
  region?: string | undefined;
}

export interface StatePage {
  /** Records of this page. */
  data: State[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface Tenant {
  /** Id of the tenant. */
  id: string;
  /** Customer that the app runs for. Cannot be changed. */
  customerId: string;
  /** App that runs for the customer. Cannot be changed. */
  appId: string;
  /** Name of the tenant. */
  name: string;
  /** Whether the tenant is active. Neither users nor applications can work in an inactive tenant. */
  active: boolean;
  /** JSON object of your own. At most 64 KiB of JSON text in a request. */
  metadata: Record<string, unknown> | null;
  /** Client id at the identity provider. A service token belongs to the tenant whose `identityClientId` is its `azp`. Unique. */
  identityClientId: string | null;
  /** Scopes of app-to-app calls. */
  allowedScopes: string[] | null;
}

export interface TenantOrganization {
  /** Id of the organization. */
  id: string;
  /** Legal name. */
  name: string;
  /** Trade name. */
  alias: string | null;
  /** Federal tax id (CNPJ or CPF), 11 to 14 characters. Unique; cannot be changed. */
  federalTaxId: string;
  /** Whether the organization is active. Informational: the service does not act on it. */
  active: boolean;
  /** Whether the organization may be listed publicly. Informational: the service does not act on it. */
  listed: boolean;
}

export interface TenantOrganizationList {
  /** All organizations of the tenant that are in the caller's scope. */
  data: TenantOrganization[];
}

export interface TenantCreate {
  /** Customer that the app runs for. Cannot be changed. */
  customerId: string;
  /** App that runs for the customer. Cannot be changed. */
  appId: string;
  /** Name of the tenant. */
  name: string;
  /** Whether the tenant is active. Neither users nor applications can work in an inactive tenant. Default: true. */
  active?: boolean | undefined;
  /** JSON object of your own. At most 64 KiB of JSON text in a request. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Client id at the identity provider. A service token belongs to the tenant whose `identityClientId` is its `azp`. Unique. */
  identityClientId?: string | null | undefined;
  /** Scopes of app-to-app calls. */
  allowedScopes?: string[] | null | undefined;
}

export interface TenantUpdate {
  /** Name of the tenant. */
  name?: string | undefined;
  /** Whether the tenant is active. Neither users nor applications can work in an inactive tenant. */
  active?: boolean | undefined;
  /** JSON object of your own. At most 64 KiB of JSON text in a request. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Client id at the identity provider. A service token belongs to the tenant whose `identityClientId` is its `azp`. Unique. */
  identityClientId?: string | null | undefined;
  /** Scopes of app-to-app calls. */
  allowedScopes?: string[] | null | undefined;
}

export interface TenantCreated {
  /** Id of the tenant. */
  id: string;
  /** Customer that the app runs for. Cannot be changed. */
  customerId: string;
  /** App that runs for the customer. Cannot be changed. */
  appId: string;
  /** Name of the tenant. */
  name: string;
  /** Whether the tenant is active. Neither users nor applications can work in an inactive tenant. */
  active: boolean;
  /** JSON object of your own. At most 64 KiB of JSON text in a request. */
  metadata: Record<string, unknown> | null;
  /** Scopes of app-to-app calls. */
  allowedScopes: string[] | null;
}

export interface TenantPage {
  /** Records of this page. */
  data: Tenant[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  totalPages: number;
  /** Number of this page, from 1. */
  currentPage: number;
}

export interface FieldError {
  /** Path of the field, such as `address.zipCode`, or the name of the parameter. Empty for the whole input. */
  path: string;
  /** What is wrong with the field. */
  message: string;
}

export interface Problem {
  /** URL of the documentation of the code. */
  type: string;
  /** Short text for the code. The same for every occurrence. */
  title: string;
  /** HTTP status of the response. */
  status: number;
  /** Stable, machine-readable name of the error. New codes may be added: keep a default branch. */
  code: ErrorCode | (string & {});
  /** What went wrong in this request, as text for people. */
  detail: string;
  /** Id of the request, as in the header `X-Request-Id`. */
  instance: string;
  /** Invalid fields. Only with VALIDATION_FAILED. */
  errors?: FieldError[];
}
