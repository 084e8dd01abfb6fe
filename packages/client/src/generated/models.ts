// Generated from packages/contracts by `pnpm generate client`. Do not edit.

import type { ErrorCode } from './errors.ts';

/**
 * Kind of record that a file belongs to. `DOCUMENT`: the file is a document of the organization in `entityId`, and applications see it.
 * `ORGANIZATION`, `CUSTOMER` and `USER`: another file of such a record.
 */
export type AttachmentEntityType = 'DOCUMENT' | 'ORGANIZATION' | 'CUSTOMER' | 'USER';

/** The metadata of a file. The file itself is the response of the download. */
export interface Attachment {
  /** Id of the attachment, set by the service. */
  id: string;
  /** Kind of record that the file belongs to. Default: `DOCUMENT`. Cannot be changed. */
  entityType: AttachmentEntityType;
  /** Key of the file in the object storage, set by the service. It is not a URL: download the file with the id of the attachment. */
  filePath: string;
  /** File name that the client sent with the upload. */
  originalFilename: string;
  /** What the file is, at most 5,000 characters in a request. Null if unknown. */
  description: string | null;
  /** True if another system stored the file. False for every upload to this service. */
  external: boolean;
  /**
   * Id of the record that the file belongs to, of the kind in `entityType`. An organization must be in the scope of the caller; other ids
   * are not checked. Null: the file belongs to the active tenant only.
   */
  entityId: string | null;
  /** Id of the user who uploaded the file, set by the service. */
  userId: string;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
}

/** The form of an upload: the file and its metadata. */
export interface AttachmentCreate {
  /** Kind of record that the file belongs to. Default: `DOCUMENT`. Cannot be changed. */
  entityType?: AttachmentEntityType | undefined;
  /**
   * Id of the record that the file belongs to, of the kind in `entityType`. An organization must be in the scope of the caller; other ids
   * are not checked. Null: the file belongs to the active tenant only.
   */
  entityId?: string | null | undefined;
  /** What the file is, at most 5,000 characters in a request. Null if unknown. */
  description?: string | null | undefined;
}

/**
 * Changes of an attachment. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be
 * changed.
 */
export interface AttachmentUpdate {
  /**
   * Id of the record that the file belongs to, of the kind in `entityType`. An organization must be in the scope of the caller; other ids
   * are not checked. Null: the file belongs to the active tenant only.
   */
  entityId?: string | null | undefined;
  /** What the file is, at most 5,000 characters in a request. Null if unknown. */
  description?: string | null | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type AttachmentSort =
  | 'id'
  | '-id'
  | 'entityType'
  | '-entityType'
  | 'originalFilename'
  | '-originalFilename'
  | 'external'
  | '-external'
  | 'entityId'
  | '-entityId'
  | 'userId'
  | '-userId'
  | 'createdAt'
  | '-createdAt'
  | 'updatedAt'
  | '-updatedAt'
  | (string & {});

/**
 * One page of a list of Attachment records: with the totals of the whole list, or with the cursor of the next page if the request has
 * `cursor`.
 */
export interface AttachmentPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: Attachment[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** A product of the platform. It runs for a customer as a tenant. */
export interface App {
  /** Id of the app, set by the service. */
  id: string;
  /** Unique name, 1 to 255 characters in a request. */
  name: string;
}

/** Fields of a new app. */
export interface AppCreate {
  /** Unique name, 1 to 255 characters in a request. */
  name: string;
}

/**
 * Changes of an app. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be changed.
 */
export interface AppUpdate {
  /** Unique name, 1 to 255 characters in a request. */
  name?: string | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type AppSort = 'id' | '-id' | 'name' | '-name' | (string & {});

/**
 * One page of a list of App records: with the totals of the whole list, or with the cursor of the next page if the request has `cursor`.
 */
export interface AppPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: App[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/**
 * `ndjson`: one JSON object per line. `csv`: RFC 4180 in UTF-8, with a header row; the fields of nested objects have dots in their names.
 */
export type RecordFileFormat = 'ndjson' | 'csv';

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
  | 'attachment'
  | 'webhook';

/** What became of an audited request. */
export type AuditOutcome = 'COMMITTED' | 'REFUSED';

/** Kind of the actor of an audit entry. */
export type AuditActorKind = 'USER' | 'APPLICATION' | 'SYSTEM';

/** One changed field of a record. */
export interface FieldChange {
  /** Name of the field, as in the schema of the record. */
  field: string;
  /** Value before the change; null for a creation. `{ "omitted": <bytes> }` stands for a value over 8 KiB. */
  before: unknown;
  /** Value after the change; null for a deletion. `{ "omitted": <bytes> }` stands for a value over 8 KiB. */
  after: unknown;
}

/** Who made a request. */
export interface AuditActor {
  /** `USER`: a person. `APPLICATION`: the application of a tenant. `SYSTEM`: the service itself. */
  kind: AuditActorKind;
  /** Id of the user, or of the application's tenant. Null for SYSTEM, and for an actor who is not of the caller's active tenant. */
  id: string | null;
}

/** The main record of an operation. */
export interface AuditRecord {
  /** Type of the record. Null if the operation has no record. */
  type: RecordType | null;
  /**
   * Id of the record. `<userId>:<tenantId>` for memberships and scopes, `<organizationId>:<tenantId>` for links. Null if there is none, and
   * for a link of another tenant.
   */
  id: string | null;
}

/** Another record that the same operation changed. */
export interface RelatedRecord {
  /** Type of the other record, often that of the main record. */
  type: RecordType;
  /** Id of the other record, in the form of `record.id`. */
  id: string;
  /** Changed fields. Null if the caller may not read records of this type. */
  changes: FieldChange[] | null;
}

/** Numbers of records by type. Of an export: `rows` is the number of records in the file, `filters` what selected them. */
export type AuditCascade = Record<string, unknown>;

/** A committed change or a refused request. */
export interface AuditEntry {
  /** Id of the entry, set by the service. */
  id: string;
  /** Time at which the change was committed or the request refused, in UTC with milliseconds. */
  occurredAt: string;
  /** `COMMITTED`: the change was made. `REFUSED`: the request got 403. */
  outcome: AuditOutcome;
  /** Error code of a refused request, such as `NOT_ALLOWED`. Null for a committed change. */
  code: string | null;
  /** Who made the request. */
  actor: AuditActor;
  /** Id of the request. Not unique: clients may choose it, and the calls of a batch share it. */
  requestId: string | null;
  /** Name of the tRPC procedure, such as `organizations.update`, also for a REST request. */
  operation: string;
  /** Tenant of the record, or active tenant of the actor. Null if the caller may not see who the actor is. */
  tenantId: string | null;
  /** Id of the organization that the record is or belongs to. Null if there is none. */
  organizationId: string | null;
  /** What was changed, or what the refused request named. */
  record: AuditRecord;
  /** Changed fields of the record. Null if the caller may not read them. */
  changes: FieldChange[] | null;
  /** Other records that the operation changed and that the caller may see, such as the previous primary contact. Often empty. */
  related: RelatedRecord[];
  /**
   * How many records a deletion removed or hid, by record type. Of an export, `rows` and `filters`. Empty for other operations, in a tenant
   * for records that all tenants share, and of an export for a member whose organization scope is RESTRICTED.
   */
  cascade: AuditCascade;
}

/** One page of audit entries, without totals. */
export interface AuditEntryList {
  /** Entries of this page, newest first. */
  data: AuditEntry[];
  /** Value of `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

/** A city of Brazil, shared by all tenants. */
export interface City {
  /** IBGE code, 7 digits for the cities of Brazil. The key of the city: the client chooses it, and it cannot be changed. */
  ibgeCode: number;
  /** Name in Portuguese, 1 to 255 characters in a request. Not unique. */
  name: string;
  /** Latitude in decimal degrees, negative south of the equator. */
  latitude: number;
  /** Longitude in decimal degrees, negative west of Greenwich. */
  longitude: number;
  /** Whether this is the capital of the state. The service does not check that a state has one. */
  capital: boolean;
  /** IBGE code of the state that the city is in. */
  stateCode: number;
  /**
   * Code of the city in SIAFI, the financial system of the federal government: 1 to 4 characters, without leading zeros for the cities of
   * Brazil. Unique.
   */
  siafiId: string;
  /** Telephone area code (DDD), 2 digits for the cities of Brazil. */
  ddd: number;
  /** IANA name of the time zone, such as `America/Sao_Paulo`. */
  timeZone: string;
}

/** Fields of a new city. */
export interface CityCreate {
  /** IBGE code, 7 digits for the cities of Brazil. The key of the city: the client chooses it, and it cannot be changed. */
  ibgeCode: number;
  /** Name in Portuguese, 1 to 255 characters in a request. Not unique. */
  name: string;
  /** Latitude in decimal degrees, negative south of the equator. */
  latitude: number;
  /** Longitude in decimal degrees, negative west of Greenwich. */
  longitude: number;
  /** Whether this is the capital of the state. The service does not check that a state has one. */
  capital: boolean;
  /** IBGE code of the state that the city is in. */
  stateCode: number;
  /**
   * Code of the city in SIAFI, the financial system of the federal government: 1 to 4 characters, without leading zeros for the cities of
   * Brazil. Unique.
   */
  siafiId: string;
  /** Telephone area code (DDD), 2 digits for the cities of Brazil. */
  ddd: number;
  /** IANA name of the time zone, such as `America/Sao_Paulo`. */
  timeZone: string;
}

/**
 * Changes of a city. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be changed.
 */
export interface CityUpdate {
  /** Name in Portuguese, 1 to 255 characters in a request. Not unique. */
  name?: string | undefined;
  /** Latitude in decimal degrees, negative south of the equator. */
  latitude?: number | undefined;
  /** Longitude in decimal degrees, negative west of Greenwich. */
  longitude?: number | undefined;
  /** Whether this is the capital of the state. The service does not check that a state has one. */
  capital?: boolean | undefined;
  /** IBGE code of the state that the city is in. */
  stateCode?: number | undefined;
  /**
   * Code of the city in SIAFI, the financial system of the federal government: 1 to 4 characters, without leading zeros for the cities of
   * Brazil. Unique.
   */
  siafiId?: string | undefined;
  /** Telephone area code (DDD), 2 digits for the cities of Brazil. */
  ddd?: number | undefined;
  /** IANA name of the time zone, such as `America/Sao_Paulo`. */
  timeZone?: string | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type CitySort =
  | 'ibgeCode'
  | '-ibgeCode'
  | 'name'
  | '-name'
  | 'latitude'
  | '-latitude'
  | 'longitude'
  | '-longitude'
  | 'capital'
  | '-capital'
  | 'stateCode'
  | '-stateCode'
  | 'siafiId'
  | '-siafiId'
  | 'ddd'
  | '-ddd'
  | 'timeZone'
  | '-timeZone'
  | (string & {});

/**
 * One page of a list of City records: with the totals of the whole list, or with the cursor of the next page if the request has `cursor`.
 */
export interface CityPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: City[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** A placeholder until the source of cooperatives is connected. */
export interface Cooperatives {
  /** Id of the calling user, or of the tenant of the calling application. */
  caller: string;
  /** One text that says that the source of cooperatives is not connected. */
  data: string[];
}

/** A customer of the platform. Apps run for it as tenants, and users can work for it. */
export interface Customer {
  /** Id of the customer, set by the service. */
  id: string;
  /**
   * Federal tax id (CPF or CNPJ): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name: string;
  /** Trade name (nome fantasia). Null if there is none. */
  alias: string | null;
  /** Contact e-mail address. Stored trimmed and in lower case; not unique. Null if unknown. */
  email: string | null;
  /** Contact telephone number in any format. Null if unknown. */
  phone: string | null;
  /** URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image. */
  logoPath: string | null;
  /** Whether the customer is active. For your own use: the service stores it and does not act on it. */
  active: boolean;
}

/** Fields of a new customer. */
export interface CustomerCreate {
  /**
   * Federal tax id (CPF or CNPJ): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name: string;
  /** Trade name (nome fantasia). Null if there is none. */
  alias?: string | null | undefined;
  /** Contact e-mail address. Stored trimmed and in lower case; not unique. Null if unknown. */
  email?: string | null | undefined;
  /** Contact telephone number in any format. Null if unknown. */
  phone?: string | null | undefined;
  /** URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image. */
  logoPath?: string | null | undefined;
  /** Whether the customer is active. For your own use: the service stores it and does not act on it. Default: true. */
  active?: boolean | undefined;
}

/**
 * Changes of a customer. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be
 * changed.
 */
export interface CustomerUpdate {
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name?: string | undefined;
  /** Trade name (nome fantasia). Null if there is none. */
  alias?: string | null | undefined;
  /** Contact e-mail address. Stored trimmed and in lower case; not unique. Null if unknown. */
  email?: string | null | undefined;
  /** Contact telephone number in any format. Null if unknown. */
  phone?: string | null | undefined;
  /** URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image. */
  logoPath?: string | null | undefined;
  /** Whether the customer is active. For your own use: the service stores it and does not act on it. */
  active?: boolean | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type CustomerSort =
  | 'id'
  | '-id'
  | 'federalTaxId'
  | '-federalTaxId'
  | 'name'
  | '-name'
  | 'alias'
  | '-alias'
  | 'email'
  | '-email'
  | 'phone'
  | '-phone'
  | 'active'
  | '-active'
  | (string & {});

/**
 * One page of a list of Customer records: with the totals of the whole list, or with the cursor of the next page if the request has
 * `cursor`.
 */
export interface CustomerPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: Customer[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** A new customer: a Customer without `logoPath`. */
export interface CustomerCreated {
  /** Id of the customer, set by the service. */
  id: string;
  /**
   * Federal tax id (CPF or CNPJ): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name: string;
  /** Trade name (nome fantasia). Null if there is none. */
  alias: string | null;
  /** Contact e-mail address. Stored trimmed and in lower case; not unique. Null if unknown. */
  email: string | null;
  /** Contact telephone number in any format. Null if unknown. */
  phone: string | null;
  /** Whether the customer is active. For your own use: the service stores it and does not act on it. */
  active: boolean;
}

/** A type of document, shared by all tenants. Its flags are for your frontend: the service stores them only. */
export interface DocumentType {
  /** Id of the document type, set by the service. */
  id: string;
  /** Unique name, 1 to 255 characters in a request. */
  name: string;
  /** Whether an organization must have a document of this type. The service does not enforce it. */
  isRequired: boolean;
  /** What documents of this type contain. Null if unknown. */
  description: string | null;
  /** Whether somebody must approve documents of this type. The service does not enforce it. */
  requiresApproval: boolean;
  /** Whether documents of this type expire. If false, `defaultValidityDays` is null. */
  hasExpiration: boolean;
  /** Days for which a document is valid by default, 1 or more. Null if there is no default, or if `hasExpiration` is false. */
  defaultValidityDays: number | null;
  /** Whether documents of this type have a code with which their issuer confirms them. */
  hasAuthenticityCode: boolean;
  /** Whether your frontend offers the type for new documents. The service does not act on it. */
  isActive: boolean;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
}

/** Fields of a new document type. */
export interface DocumentTypeCreate {
  /** Unique name, 1 to 255 characters in a request. */
  name: string;
  /** Whether an organization must have a document of this type. The service does not enforce it. Default: false. */
  isRequired?: boolean | undefined;
  /** What documents of this type contain. Null if unknown. */
  description?: string | null | undefined;
  /** Whether somebody must approve documents of this type. The service does not enforce it. Default: false. */
  requiresApproval?: boolean | undefined;
  /** Whether documents of this type expire. If false, `defaultValidityDays` is null. Default: false. */
  hasExpiration?: boolean | undefined;
  /** Days for which a document is valid by default, 1 or more. Null if there is no default, or if `hasExpiration` is false. */
  defaultValidityDays?: number | null | undefined;
  /** Whether documents of this type have a code with which their issuer confirms them. Default: false. */
  hasAuthenticityCode?: boolean | undefined;
  /** Whether your frontend offers the type for new documents. The service does not act on it. Default: true. */
  isActive?: boolean | undefined;
}

/**
 * Changes of a document type. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be
 * changed.
 */
export interface DocumentTypeUpdate {
  /** Unique name, 1 to 255 characters in a request. */
  name?: string | undefined;
  /** Whether an organization must have a document of this type. The service does not enforce it. */
  isRequired?: boolean | undefined;
  /** What documents of this type contain. Null if unknown. */
  description?: string | null | undefined;
  /** Whether somebody must approve documents of this type. The service does not enforce it. */
  requiresApproval?: boolean | undefined;
  /** Whether documents of this type expire. If false, `defaultValidityDays` is null. */
  hasExpiration?: boolean | undefined;
  /** Days for which a document is valid by default, 1 or more. Null if there is no default, or if `hasExpiration` is false. */
  defaultValidityDays?: number | null | undefined;
  /** Whether documents of this type have a code with which their issuer confirms them. */
  hasAuthenticityCode?: boolean | undefined;
  /** Whether your frontend offers the type for new documents. The service does not act on it. */
  isActive?: boolean | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type DocumentTypeSort =
  | 'id'
  | '-id'
  | 'name'
  | '-name'
  | 'isRequired'
  | '-isRequired'
  | 'requiresApproval'
  | '-requiresApproval'
  | 'hasExpiration'
  | '-hasExpiration'
  | 'defaultValidityDays'
  | '-defaultValidityDays'
  | 'hasAuthenticityCode'
  | '-hasAuthenticityCode'
  | 'isActive'
  | '-isActive'
  | 'createdAt'
  | '-createdAt'
  | 'updatedAt'
  | '-updatedAt'
  | (string & {});

/**
 * One page of a list of DocumentType records: with the totals of the whole list, or with the cursor of the next page if the request has
 * `cursor`.
 */
export interface DocumentTypePage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: DocumentType[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** A document of an organization, as applications see it: an attachment with the entityType DOCUMENT. */
export interface Document {
  /** Id of the document, which is also the id of its attachment. */
  id: string;
  /** Id of the organization: the `entityId` of the attachment. */
  organizationId: string;
  /** File name that the client sent with the upload. */
  originalFilename: string;
  /** What the file is, at most 5,000 characters in a request. Null if unknown. */
  description: string | null;
  /** True if another system stored the file. False for every upload to this service. */
  external: boolean;
  /** Media type of the file, such as `application/pdf`. */
  contentType: string;
  /** Size of the file in bytes. */
  size: number;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type DocumentSort =
  | 'id'
  | '-id'
  | 'organizationId'
  | '-organizationId'
  | 'originalFilename'
  | '-originalFilename'
  | 'external'
  | '-external'
  | 'contentType'
  | '-contentType'
  | 'size'
  | '-size'
  | 'createdAt'
  | '-createdAt'
  | 'updatedAt'
  | '-updatedAt'
  | (string & {});

/**
 * One page of a list of Document records: with the totals of the whole list, or with the cursor of the next page if the request has
 * `cursor`.
 */
export interface DocumentPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: Document[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** What happened to a record. Later versions may add types. */
export type EventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'membership.created'
  | 'membership.updated'
  | 'membership.deleted'
  | 'organizationScope.created'
  | 'organizationScope.updated'
  | 'organizationScope.deleted'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.deleted'
  | 'app.created'
  | 'app.updated'
  | 'app.deleted'
  | 'tenant.created'
  | 'tenant.updated'
  | 'tenant.deleted'
  | 'organization.created'
  | 'organization.updated'
  | 'organization.deleted'
  | 'organizationLink.created'
  | 'organizationLink.updated'
  | 'organizationLink.deleted'
  | 'organizationAddress.created'
  | 'organizationAddress.updated'
  | 'organizationAddress.deleted'
  | 'organizationContact.created'
  | 'organizationContact.updated'
  | 'organizationContact.deleted'
  | 'documentType.created'
  | 'documentType.updated'
  | 'documentType.deleted'
  | 'state.created'
  | 'state.updated'
  | 'state.deleted'
  | 'city.created'
  | 'city.updated'
  | 'city.deleted'
  | 'attachment.created'
  | 'attachment.updated'
  | 'attachment.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | (string & {});

/** Type of a record. Later versions may add types. */
export type EventRecordType =
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
  | 'attachment'
  | 'webhook'
  | (string & {});

/** Whether a person, an application or the service itself made a change. */
export type EventActorKind = 'USER' | 'APPLICATION' | 'SYSTEM';

/** Who made a change. */
export interface EventActor {
  /** `USER`: a person. `APPLICATION`: the application of a tenant. `SYSTEM`: the service itself. */
  kind: EventActorKind;
  /** Id of the user, or of the application's tenant. Null for SYSTEM, and for an actor who is not of the caller's tenant. */
  id: string | null;
}

/** The record of an event, by type and id. */
export interface EventRecord {
  /** What the record is, such as `organization`. */
  type: EventRecordType;
  /** Id of the record. `<userId>:<tenantId>` for memberships and scopes, `<organizationId>:<tenantId>` for links. */
  id: string;
}

/** A committed change. */
export interface Event {
  /** Id of the event, set by the service. Also that of the audit entry of the change. */
  id: string;
  /** What happened, such as `organization.updated`. */
  type: EventType;
  /** Time of the change, in UTC with milliseconds. Events are not ordered by it. */
  occurredAt: string;
  /** Who made the change. */
  actor: EventActor;
  /** Id of the request. Not unique: clients may choose it, and the calls of a batch share it. */
  requestId: string | null;
  /** Tenant of the record, or active tenant of the actor. Null for other tenants than that of the caller. */
  tenantId: string | null;
  /** Id of the organization that the record is or belongs to. Null if there is none. */
  organizationId: string | null;
  /** The record that was changed. */
  record: EventRecord;
  /** Names of the fields that differ from before. After a creation and a deletion, those with a value. */
  changed: string[];
  /** The record as its GET shows it after the change. After a deletion, as it was before. */
  data: Record<string, unknown>;
}

/** The next events, and where to continue. */
export interface EventList {
  /** The next events, oldest first. May be empty while `hasMore` is true. */
  data: Event[];
  /** Value of `cursor` for the next request. Store it after you have processed the events. */
  nextCursor: string;
  /** Whether there are later events: request them without a pause. None of them may match the filters. */
  hasMore: boolean;
}

/** A type of events, all types of a record, or `*` for all. */
export type EventTypeFilter =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'membership.created'
  | 'membership.updated'
  | 'membership.deleted'
  | 'organizationScope.created'
  | 'organizationScope.updated'
  | 'organizationScope.deleted'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.deleted'
  | 'app.created'
  | 'app.updated'
  | 'app.deleted'
  | 'tenant.created'
  | 'tenant.updated'
  | 'tenant.deleted'
  | 'organization.created'
  | 'organization.updated'
  | 'organization.deleted'
  | 'organizationLink.created'
  | 'organizationLink.updated'
  | 'organizationLink.deleted'
  | 'organizationAddress.created'
  | 'organizationAddress.updated'
  | 'organizationAddress.deleted'
  | 'organizationContact.created'
  | 'organizationContact.updated'
  | 'organizationContact.deleted'
  | 'documentType.created'
  | 'documentType.updated'
  | 'documentType.deleted'
  | 'state.created'
  | 'state.updated'
  | 'state.deleted'
  | 'city.created'
  | 'city.updated'
  | 'city.deleted'
  | 'attachment.created'
  | 'attachment.updated'
  | 'attachment.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'user.*'
  | 'membership.*'
  | 'organizationScope.*'
  | 'customer.*'
  | 'app.*'
  | 'tenant.*'
  | 'organization.*'
  | 'organizationLink.*'
  | 'organizationAddress.*'
  | 'organizationContact.*'
  | 'documentType.*'
  | 'state.*'
  | 'city.*'
  | 'attachment.*'
  | 'webhook.*'
  | '*';

/** Kind of user on the whole platform. `Global` gives access to all tenants. The other kinds are labels: they give no permissions. */
export type UserType = 'Admin' | 'Coordinator' | 'Technician' | 'Cooperative' | 'Global';

/**
 * Role of a user in one tenant. `tenant-admin` manages organizations and their data, `coordinator` and `technician` edit, `viewer` only
 * reads. Each operation states its personas.
 */
export type Persona = 'tenant-admin' | 'coordinator' | 'technician' | 'viewer';

/** A person with a profile in this service and an identity at the identity provider. */
export interface User {
  /** Id of the user, set by the service. */
  id: string;
  /** Subject (`sub`) of the user in tokens of the identity provider, which differs from `id`. Unique; set by the service. */
  idIdentity: string;
  /** Full name, 1 to 255 characters in a request. */
  name: string;
  /** E-mail address, with which the user logs in. Unique; stored trimmed and in lower case. */
  email: string;
  /** Personal tax id (CPF): 11 digits with valid check digits, without punctuation. Unique; cannot be changed. */
  federalTaxId: string;
  /** Kind of user on the whole platform. Only `Global` gives access; what other users may do depends on their persona in each tenant. */
  type: UserType;
  /** Job title as text, which has no effect on permissions. Null if unknown. */
  jobTitle: string | null;
  /** Id of the customer that the user works for. It gives no permissions. Null if there is none. */
  customerId: string | null;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
}

/** Fields of a new user. */
export interface UserCreate {
  /** Full name, 1 to 255 characters in a request. */
  name: string;
  /** E-mail address, with which the user logs in. Unique; stored trimmed and in lower case. */
  email: string;
  /** Personal tax id (CPF): 11 digits with valid check digits, without punctuation. Unique; cannot be changed. */
  federalTaxId: string;
  /** Kind of user on the whole platform. Only `Global` gives access; what other users may do depends on their persona in each tenant. */
  type: UserType;
  /** Job title as text, which has no effect on permissions. Null if unknown. */
  jobTitle?: string | null | undefined;
  /** Id of the customer that the user works for. It gives no permissions. Null if there is none. */
  customerId?: string | null | undefined;
}

/**
 * Changes of a user. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be changed.
 */
export interface UserUpdate {
  /** Full name, 1 to 255 characters in a request. */
  name?: string | undefined;
  /** E-mail address, with which the user logs in. Unique; stored trimmed and in lower case. */
  email?: string | undefined;
  /** Kind of user on the whole platform. Only `Global` gives access; what other users may do depends on their persona in each tenant. */
  type?: UserType | undefined;
  /** Job title as text, which has no effect on permissions. Null if unknown. */
  jobTitle?: string | null | undefined;
  /** Id of the customer that the user works for. It gives no permissions. Null if there is none. */
  customerId?: string | null | undefined;
}

/** Kind of user that an application provisions: every UserType except `Global`. */
export type ServiceUserType = 'Admin' | 'Coordinator' | 'Technician' | 'Cooperative';

/** A user to provision, with the persona in the token's tenant. */
export interface ServiceUserCreate {
  /** Full name, 1 to 255 characters in a request. */
  name: string;
  /** E-mail address, with which the user logs in. Unique; stored trimmed and in lower case. */
  email: string;
  /** Personal tax id (CPF): 11 digits with valid check digits, without punctuation. Unique; cannot be changed. */
  federalTaxId: string;
  /** Job title as text, which has no effect on permissions. Null if unknown. */
  jobTitle?: string | null | undefined;
  /** Kind of user on the whole platform, a label without permissions. */
  type: ServiceUserType;
  /** Role of the user in the token's tenant. It replaces that of an existing membership. */
  persona: Persona;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type UserSort =
  | 'id'
  | '-id'
  | 'idIdentity'
  | '-idIdentity'
  | 'name'
  | '-name'
  | 'email'
  | '-email'
  | 'federalTaxId'
  | '-federalTaxId'
  | 'type'
  | '-type'
  | 'jobTitle'
  | '-jobTitle'
  | 'customerId'
  | '-customerId'
  | 'createdAt'
  | '-createdAt'
  | 'updatedAt'
  | '-updatedAt'
  | (string & {});

/**
 * One page of a list of User records: with the totals of the whole list, or with the cursor of the next page if the request has `cursor`.
 */
export interface UserPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: User[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** A tenant of a user, with the persona of the user in it. */
export interface Membership {
  /** Id of the tenant. The value of `X-Tenant-Id`. */
  id: string;
  /** Id of the customer that the app runs for. */
  customerId: string;
  /** Id of the app that runs for the customer. */
  appId: string;
  /** Display name of the tenant. */
  name: string;
  /** Whether users can work in the tenant. If false, they get 403 there. */
  active: boolean;
  /**
   * Role of the user in this tenant, which decides what the user may do there. Null: the user gets 403 for every request in this tenant.
   */
  persona: Persona | null;
}

/** Tenants of a user, without pages. */
export interface MembershipList {
  /** All tenants of the user, not paginated. */
  data: Membership[];
}

/** A tenant for the user, and the persona there. */
export interface MembershipAssign {
  /** Id of the tenant. The value of `X-Tenant-Id`. */
  tenantId: string;
  /** Role that the user gets in this tenant. It replaces an existing one. */
  persona: Persona;
}

/** The membership that was created or changed. */
export interface MembershipKey {
  /** Id of the user, set by the service. */
  userId: string;
  /** Id of the tenant. The value of `X-Tenant-Id`. */
  tenantId: string;
}

/** The main fields of a member, with the persona of the member in the tenant. */
export interface TenantUser {
  /** Id of the user, set by the service. */
  id: string;
  /** Full name, 1 to 255 characters in a request. */
  name: string;
  /** E-mail address, with which the user logs in. Unique; stored trimmed and in lower case. */
  email: string;
  /** Kind of user on the whole platform. Only `Global` gives access; what other users may do depends on their persona in each tenant. */
  type: UserType;
  /** Job title as text, which has no effect on permissions. Null if unknown. */
  jobTitle: string | null;
  /**
   * Role of the user in this tenant, which decides what the user may do there. Null: the user gets 403 for every request in this tenant.
   */
  persona: Persona | null;
}

/** Members of a tenant, without pages. */
export interface TenantUserList {
  /** All members of the tenant, not paginated. */
  data: TenantUser[];
}

/** An address of an organization and the period in which it is valid. Closed addresses remain as the history. */
export interface OrganizationAddress {
  /** Id of the address, set by the service. */
  id: string;
  /** Id of the organization. Cannot be changed. */
  organizationId: string;
  /** Postal code (CEP): 8 digits without a hyphen. Only the length is checked. */
  zipCode: string;
  /** Street name with its type, such as Avenida or Praça. */
  street: string;
  /** House number. A text, since it may be `12A` or `s/n`. */
  number: string;
  /** Suite, floor or other detail. Null if there is none. */
  complement: string | null;
  /** District (bairro) of the city, at most 50 characters in a request. Null if unknown. */
  district: string | null;
  /** IBGE code of the city, 7 digits: the `ibgeCode` of a City. The city must belong to the state. */
  cityCode: number;
  /** IBGE code of the state, 2 digits: the `stateCode` of a State. */
  stateCode: number;
  /**
   * Name of the country, at most 50 characters in a request. Becomes `Brasil` if a request sends null, or creates an address without it.
   */
  country: string;
  /** Latitude in decimal degrees, negative south of the equator. Null if unknown. */
  latitude: number | null;
  /** Longitude in decimal degrees, negative west of Greenwich. Null if unknown. */
  longitude: number | null;
  /** Start of the period in which the address is valid: the time of its creation. Set by the service. */
  validFrom: string;
  /** End of that period, exclusive: the `validFrom` of the next address. Null for the current address. Set by the service. */
  validTo: string | null;
}

/** The current address of an exported organization, with the fields that create it. */
export interface ExportedAddress {
  /** Postal code (CEP): 8 digits without a hyphen. Only the length is checked. */
  zipCode: string;
  /** Street name with its type, such as Avenida or Praça. */
  street: string;
  /** House number. A text, since it may be `12A` or `s/n`. */
  number: string;
  /** Suite, floor or other detail. Null if there is none. */
  complement: string | null;
  /** District (bairro) of the city, at most 50 characters in a request. Null if unknown. */
  district: string | null;
  /** IBGE code of the city, 7 digits: the `ibgeCode` of a City. The city must belong to the state. */
  cityCode: number;
  /** IBGE code of the state, 2 digits: the `stateCode` of a State. */
  stateCode: number;
  /**
   * Name of the country, at most 50 characters in a request. Becomes `Brasil` if a request sends null, or creates an address without it.
   */
  country: string;
  /** Latitude in decimal degrees, negative south of the equator. Null if unknown. */
  latitude: number | null;
  /** Longitude in decimal degrees, negative west of Greenwich. Null if unknown. */
  longitude: number | null;
}

/** Fields of a new current address. */
export interface OrganizationAddressCreate {
  /** Postal code (CEP): 8 digits without a hyphen. Only the length is checked. */
  zipCode: string;
  /** Street name with its type, such as Avenida or Praça. */
  street: string;
  /** House number. A text, since it may be `12A` or `s/n`. */
  number: string;
  /** IBGE code of the city, 7 digits: the `ibgeCode` of a City. The city must belong to the state. */
  cityCode: number;
  /** IBGE code of the state, 2 digits: the `stateCode` of a State. */
  stateCode: number;
  /** Suite, floor or other detail. Null if there is none. */
  complement?: string | null | undefined;
  /** District (bairro) of the city, at most 50 characters in a request. Null if unknown. */
  district?: string | null | undefined;
  /** Latitude in decimal degrees, negative south of the equator. Null if unknown. */
  latitude?: number | null | undefined;
  /** Longitude in decimal degrees, negative west of Greenwich. Null if unknown. */
  longitude?: number | null | undefined;
  /**
   * Name of the country, at most 50 characters in a request. Becomes `Brasil` if a request sends null, or creates an address without it.
   */
  country?: string | null | undefined;
  /** Id of the organization. Cannot be changed. */
  organizationId: string;
}

/**
 * Changes of the current address. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot
 * be changed.
 */
export interface OrganizationAddressUpdate {
  /** Postal code (CEP): 8 digits without a hyphen. Only the length is checked. */
  zipCode?: string | undefined;
  /** Street name with its type, such as Avenida or Praça. */
  street?: string | undefined;
  /** House number. A text, since it may be `12A` or `s/n`. */
  number?: string | undefined;
  /** IBGE code of the city, 7 digits: the `ibgeCode` of a City. The city must belong to the state. */
  cityCode?: number | undefined;
  /** IBGE code of the state, 2 digits: the `stateCode` of a State. */
  stateCode?: number | undefined;
  /** Suite, floor or other detail. Null if there is none. */
  complement?: string | null | undefined;
  /** District (bairro) of the city, at most 50 characters in a request. Null if unknown. */
  district?: string | null | undefined;
  /** Latitude in decimal degrees, negative south of the equator. Null if unknown. */
  latitude?: number | null | undefined;
  /** Longitude in decimal degrees, negative west of Greenwich. Null if unknown. */
  longitude?: number | null | undefined;
  /**
   * Name of the country, at most 50 characters in a request. Becomes `Brasil` if a request sends null, or creates an address without it.
   */
  country?: string | null | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type OrganizationAddressSort =
  | 'id'
  | '-id'
  | 'organizationId'
  | '-organizationId'
  | 'zipCode'
  | '-zipCode'
  | 'street'
  | '-street'
  | 'number'
  | '-number'
  | 'complement'
  | '-complement'
  | 'district'
  | '-district'
  | 'cityCode'
  | '-cityCode'
  | 'stateCode'
  | '-stateCode'
  | 'country'
  | '-country'
  | 'latitude'
  | '-latitude'
  | 'longitude'
  | '-longitude'
  | 'validFrom'
  | '-validFrom'
  | 'validTo'
  | '-validTo'
  | (string & {});

/**
 * One page of a list of OrganizationAddress records: with the totals of the whole list, or with the cursor of the next page if the request
 * has `cursor`.
 */
export interface OrganizationAddressPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: OrganizationAddress[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** Kind of a contact. The value of an `EMAIL` must be an e-mail address, that of a `URL` an http(s) URL. That of a `PHONE` is any text. */
export type ContactType = 'PHONE' | 'EMAIL' | 'URL';

/** A telephone number, e-mail address or URL of an organization. */
export interface OrganizationContact {
  /** Id of the contact, set by the service. */
  id: string;
  /** Id of the organization. Cannot be changed. */
  organizationId: string;
  /** Kind of the contact, which decides what `value` may be. */
  type: ContactType;
  /** What the contact is for, such as `Office`. Null if unknown. */
  description: string | null;
  /** Telephone number, e-mail address or URL, according to `type`. At most 2,048 characters in a request. */
  value: string;
  /**
   * Whether this is the primary contact of the organization. There is at most one: setting it on a contact clears it on the previous one.
   */
  isPrimary: boolean;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
}

/** Fields of a new contact. */
export interface OrganizationContactCreate {
  /** Id of the organization. Cannot be changed. */
  organizationId: string;
  /** Kind of the contact, which decides what `value` may be. */
  type: ContactType;
  /** Telephone number, e-mail address or URL, according to `type`. At most 2,048 characters in a request. */
  value: string;
  /** What the contact is for, such as `Office`. Null if unknown. */
  description?: string | null | undefined;
  /**
   * Whether this is the primary contact of the organization. There is at most one: setting it on a contact clears it on the previous one.
   * Default: false.
   */
  isPrimary?: boolean | undefined;
}

/**
 * Changes of a contact. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be changed.
 */
export interface OrganizationContactUpdate {
  /** Kind of the contact, which decides what `value` may be. */
  type?: ContactType | undefined;
  /** Telephone number, e-mail address or URL, according to `type`. At most 2,048 characters in a request. */
  value?: string | undefined;
  /** What the contact is for, such as `Office`. Null if unknown. */
  description?: string | null | undefined;
  /**
   * Whether this is the primary contact of the organization. There is at most one: setting it on a contact clears it on the previous one.
   */
  isPrimary?: boolean | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type OrganizationContactSort =
  | 'id'
  | '-id'
  | 'organizationId'
  | '-organizationId'
  | 'type'
  | '-type'
  | 'isPrimary'
  | '-isPrimary'
  | 'createdAt'
  | '-createdAt'
  | 'updatedAt'
  | '-updatedAt'
  | (string & {});

/**
 * One page of a list of OrganizationContact records: with the totals of the whole list, or with the cursor of the next page if the request
 * has `cursor`.
 */
export interface OrganizationContactPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: OrganizationContact[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** A cooperative or another company, with its current address. Tenants are linked to the organizations that they work with. */
export interface Organization {
  /** Id of the organization, set by the service. */
  id: string;
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name: string;
  /** Trade name (nome fantasia). Null if there is none. */
  alias: string | null;
  /**
   * Federal tax id (CNPJ or CPF): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
  /** State tax id (inscrição estadual), unchecked. Null if there is none. */
  stateTaxId: string | null;
  /** Municipal tax id (inscrição municipal), unchecked. Null if there is none. */
  municipalTaxId: string | null;
  /** URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image. */
  logoPath: string | null;
  /** Whether the organization is active. For your own use: the service stores it and does not act on it. */
  active: boolean;
  /**
   * Whether your frontend may show the organization in public lists, independently of `active`. The service does not act on it: its own
   * lists contain organizations that are not listed.
   */
  listed: boolean;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata: Record<string, unknown> | null;
  /** Id of the current address. Null after the current address was deleted. */
  organizationAddressId: string | null;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
  /** When the organization was deleted. Always null in responses, since deleted organizations are not returned. */
  deletedAt: string | null;
}

/** The address in the request that creates an organization. */
export interface OrganizationAddressInput {
  /** Postal code (CEP): 8 digits without a hyphen. Only the length is checked. */
  zipCode: string;
  /** Street name with its type, such as Avenida or Praça. */
  street: string;
  /** House number. A text, since it may be `12A` or `s/n`. */
  number: string;
  /** IBGE code of the city, 7 digits: the `ibgeCode` of a City. The city must belong to the state. */
  cityCode: number;
  /** IBGE code of the state, 2 digits: the `stateCode` of a State. */
  stateCode: number;
  /** Suite, floor or other detail. Null if there is none. */
  complement?: string | null | undefined;
  /** District (bairro) of the city, at most 50 characters in a request. Null if unknown. */
  district?: string | null | undefined;
  /** Latitude in decimal degrees, negative south of the equator. Null if unknown. */
  latitude?: number | null | undefined;
  /** Longitude in decimal degrees, negative west of Greenwich. Null if unknown. */
  longitude?: number | null | undefined;
  /**
   * Name of the country, at most 50 characters in a request. Becomes `Brasil` if a request sends null, or creates an address without it.
   */
  country?: string | null | undefined;
}

/** A contact in the request that creates an organization. */
export interface OrganizationContactInput {
  /** Kind of the contact, which decides what `value` may be. */
  type: ContactType;
  /** Telephone number, e-mail address or URL, according to `type`. At most 2,048 characters in a request. */
  value: string;
  /** What the contact is for, such as `Office`. Null if unknown. */
  description?: string | null | undefined;
  /**
   * Whether this is the primary contact of the organization. There is at most one: setting it on a contact clears it on the previous one.
   * Default: false.
   */
  isPrimary?: boolean | undefined;
}

/** Fields of a new organization, with its address and its contacts. */
export interface OrganizationCreate {
  /**
   * Federal tax id (CNPJ or CPF): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
  /** Current address of the new organization. It is valid from now on. */
  address: OrganizationAddressInput;
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name: string;
  /** Trade name (nome fantasia). Null if there is none. */
  alias?: string | null | undefined;
  /** State tax id (inscrição estadual), unchecked. Null if there is none. */
  stateTaxId?: string | null | undefined;
  /** Municipal tax id (inscrição municipal), unchecked. Null if there is none. */
  municipalTaxId?: string | null | undefined;
  /** URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image. */
  logoPath?: string | null | undefined;
  /** Whether the organization is active. For your own use: the service stores it and does not act on it. Default: true. */
  active?: boolean | undefined;
  /**
   * Whether your frontend may show the organization in public lists, independently of `active`. The service does not act on it: its own
   * lists contain organizations that are not listed. Default: true.
   */
  listed?: boolean | undefined;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Contacts of the new organization, at most 1,000, of which at most one is primary. */
  contacts?: OrganizationContactInput[] | undefined;
}

/**
 * Changes of an organization. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be
 * changed.
 */
export interface OrganizationUpdate {
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name?: string | undefined;
  /** Trade name (nome fantasia). Null if there is none. */
  alias?: string | null | undefined;
  /** State tax id (inscrição estadual), unchecked. Null if there is none. */
  stateTaxId?: string | null | undefined;
  /** Municipal tax id (inscrição municipal), unchecked. Null if there is none. */
  municipalTaxId?: string | null | undefined;
  /** URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image. */
  logoPath?: string | null | undefined;
  /** Whether the organization is active. For your own use: the service stores it and does not act on it. */
  active?: boolean | undefined;
  /**
   * Whether your frontend may show the organization in public lists, independently of `active`. The service does not act on it: its own
   * lists contain organizations that are not listed.
   */
  listed?: boolean | undefined;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata?: Record<string, unknown> | null | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type OrganizationSort =
  | 'id'
  | '-id'
  | 'name'
  | '-name'
  | 'alias'
  | '-alias'
  | 'federalTaxId'
  | '-federalTaxId'
  | 'stateTaxId'
  | '-stateTaxId'
  | 'municipalTaxId'
  | '-municipalTaxId'
  | 'active'
  | '-active'
  | 'listed'
  | '-listed'
  | 'organizationAddressId'
  | '-organizationAddressId'
  | 'createdAt'
  | '-createdAt'
  | 'updatedAt'
  | '-updatedAt'
  | 'deletedAt'
  | '-deletedAt'
  | (string & {});

/**
 * One page of a list of Organization records: with the totals of the whole list, or with the cursor of the next page if the request has
 * `cursor`.
 */
export interface OrganizationPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: Organization[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** An organization in an export, with its current address. */
export interface OrganizationExport {
  /** Id of the organization, set by the service. */
  id: string;
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name: string;
  /** Trade name (nome fantasia). Null if there is none. */
  alias: string | null;
  /**
   * Federal tax id (CNPJ or CPF): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
  /** State tax id (inscrição estadual), unchecked. Null if there is none. */
  stateTaxId: string | null;
  /** Municipal tax id (inscrição municipal), unchecked. Null if there is none. */
  municipalTaxId: string | null;
  /** URL of the logo, or a path that your frontend resolves. The service stores this text only, not the image. */
  logoPath: string | null;
  /** Whether the organization is active. For your own use: the service stores it and does not act on it. */
  active: boolean;
  /**
   * Whether your frontend may show the organization in public lists, independently of `active`. The service does not act on it: its own
   * lists contain organizations that are not listed.
   */
  listed: boolean;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata: Record<string, unknown> | null;
  /** Id of the current address. Null after the current address was deleted. */
  organizationAddressId: string | null;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
  /** When the organization was deleted. Always null in responses, since deleted organizations are not returned. */
  deletedAt: string | null;
  /** The current address. Null if there is none. */
  address: ExportedAddress | null;
}

/** The link between an organization and a tenant. */
export interface OrganizationLink {
  /** Id of the organization, set by the service. */
  organizationId: string;
  /** Id of the tenant: that of the token. */
  tenantId: string;
}

/** The records that an import creates. */
export type ImportType = 'organizations' | 'organizationAddresses' | 'organizationContacts' | 'users' | 'customers' | 'memberships';

/** A truth value in a form. */
export type FormBoolean = 'true' | 'false';

/** `create`: each row is a POST. `upsert`: a row whose record exists, by `federalTaxId`, is a PUT of that record; the others are a POST. */
export type ImportMode = 'create' | 'upsert';

/** What becomes of an import. */
export type ImportStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';

/** What became of a row. */
export type ImportResultStatus = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED';

/** A file of records, each row of which is a request of its own. */
export interface Import {
  /** Id of the import, set by the service. Audit entries and events of its rows have it as `requestId`. */
  id: string;
  /** The records that the rows are. */
  type: ImportType;
  /** Whether existing records are changed. */
  mode: ImportMode;
  /** Whether the import only reports what it would do. */
  dryRun: boolean;
  /** Name of the uploaded file. */
  fileName: string;
  /**
   * `QUEUED`: waits for its turn in the tenant. `RUNNING`: is being done. `COMPLETED`: each row has a result. `CANCELLED`: the other rows
   * were not done. `FAILED`: `code` says why the other rows were not done.
   */
  status: ImportStatus;
  /** Error code of a `FAILED` import, such as `INVALID_IMPORT_FILE`, or `NOT_ALLOWED` if its creator has lost access. */
  code: string | null;
  /** What is wrong, and in which line of the file. Null unless `code` has a value. */
  message: string | null;
  /** Number of rows of the file, without the header and empty lines. Null until they were counted. */
  rows: number | null;
  /** Number of rows with a result. */
  processed: number;
  /** Number of records that were created; in a dry run, that would be. */
  created: number;
  /** Number of records that were changed. */
  updated: number;
  /** Number of rows that are as their record already was. */
  unchanged: number;
  /** Number of rows that were refused. The results have the reasons. */
  failed: number;
  /** Id of the user who uploaded the file, and is the actor of all rows. */
  createdBy: string;
  /** Id of the active tenant of the upload. Null if a Global user had none. */
  tenantId: string | null;
  /** Time of the upload, in UTC with milliseconds. */
  createdAt: string;
  /** Time at which the rows were begun. Null before. */
  startedAt: string | null;
  /** Time of the end. The import, its file and its results are deleted 7 days later. Null before. */
  finishedAt: string | null;
}

/** One page of imports, without totals. */
export interface ImportList {
  /** Imports of this page, newest first. */
  data: Import[];
  /** Value of `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

/** The form of an import: first the fields, then the file. */
export interface ImportCreate {
  /** The records that the rows are. */
  type: ImportType;
  /** Format of the file. Default: by the extension of its name, `.csv`, `.ndjson` or `.jsonl`. */
  format?: RecordFileFormat | undefined;
  /** Whether existing records are changed. Default: create. */
  mode?: ImportMode | undefined;
  /** `true`: does and checks everything, changes nothing, and reports what the import would do. Default: false. */
  dryRun?: FormBoolean | undefined;
  /** What separates the cells of a CSV file. Default: by the header. */
  delimiter?: string | undefined;
}

/** An invalid cell. */
export interface ImportResultError {
  /** Column of the invalid field. */
  path: string;
  /** What is wrong. */
  message: string;
}

/** What became of a row of an import. */
export interface ImportResult {
  /** Number of the row, from 1, without the header and empty lines. */
  row: number;
  /** What became of the row; in a dry run, what would become of it. */
  status: ImportResultStatus;
  /** Id of the record; of a membership, `<userId>:<tenantId>`. Null for a failed row. */
  id: string | null;
  /** Error code of a failed row, as of the request that it stands for. */
  code: string | null;
  /** The invalid fields. Empty if `code` says all. */
  errors: ImportResultError[];
}

/** An action on a resource: a scope of the identity provider. */
export type Scope = 'create' | 'read' | 'update' | 'delete';

/** A resource, and what the caller may do with it. */
export interface Permission {
  /** Name of the resource at the identity provider. `resource:organizations` is the collection, `resource:organizations_id` one record. */
  resource: string;
  /** Actions that the caller may perform on the resource. */
  scopes: Scope[];
}

/** Organizations that the caller can access. */
export type CallerOrganizationScope = 'ALL' | 'TENANT' | 'RESTRICTED' | 'NONE';

/** The caller, and what the caller may do with this token in the active tenant. */
export interface MyPermissions {
  /** Id of the user, set by the service. */
  userId: string;
  /** Full name, 1 to 255 characters in a request. */
  name: string;
  /** E-mail address, with which the user logs in. Unique; stored trimmed and in lower case. */
  email: string;
  /** Kind of user on the whole platform. Only `Global` gives access; what other users may do depends on their persona in each tenant. */
  type: UserType;
  /** Whether the token has the realm role `super_admin`, which adds permissions. It differs from the type `Global` of a user. */
  isSuperAdmin: boolean;
  /**
   * Id of the active tenant. Null if there is none: a Global user or a member of several tenants sent no `X-Tenant-Id`, or the caller may
   * not use the tenant that it names.
   */
  tenantId: string | null;
  /** Role of the caller in the active tenant. Null without an active tenant or a persona. */
  persona: Persona | null;
  /** What the caller may do in the active tenant, by resource. */
  permissions: Permission[];
  /**
   * Organizations that the caller can access. `ALL`: all of the platform. `TENANT`: those linked to the active tenant. `RESTRICTED`: those
   * in `allowedOrganizationIds`. `NONE`: none.
   */
  organizationScope: CallerOrganizationScope;
  /** Ids of the granted organizations if `organizationScope` is `RESTRICTED`. Empty if it is `NONE`, otherwise null. */
  allowedOrganizationIds: string[] | null;
}

/**
 * Organizations of a tenant that a member can access. `ALL`: every organization linked to the tenant. `RESTRICTED`: only the granted ones.
 */
export type OrganizationScopeKind = 'ALL' | 'RESTRICTED';

/** Scope that applies to a member. */
export type EffectiveOrganizationScope = 'ALL' | 'RESTRICTED' | 'ALL_BY_PERSONA';

/** Which organizations of a tenant a member can access. */
export interface OrganizationScope {
  /** Saved scope. It applies unless the persona of the member overrides it: see `effectiveScope`. */
  scope: OrganizationScopeKind;
  /** Ids of the granted organizations. Empty if `scope` is `ALL`. */
  organizationIds: string[];
  /**
   * Scope that applies. `ALL_BY_PERSONA`: the member is a tenant-admin, who sees all organizations of the tenant whatever `scope` is saved.
   */
  effectiveScope: EffectiveOrganizationScope;
}

/** The new scope of a member, which replaces the saved one. */
export interface OrganizationScopeSet {
  /** Scope to save. A tenant-admin sees all organizations of the tenant, whatever is saved. */
  scope: OrganizationScopeKind;
  /**
   * Ids of the organizations to grant, at most 25,000. Required if `scope` is `RESTRICTED`, ignored if it is `ALL`. An empty list grants
   * none.
   */
  organizationIds?: string[] | undefined;
}

/** A state of Brazil, shared by all tenants. */
export interface State {
  /** IBGE code, 2 digits for the states of Brazil. The key of the state: the client chooses it, and it cannot be changed. */
  stateCode: number;
  /** Abbreviation of the state (unidade federativa): two characters, such as `SP`. Unique. */
  uf: string;
  /** Name in Portuguese, 1 to 255 characters in a request. */
  name: string;
  /** Latitude in decimal degrees, negative south of the equator. */
  latitude: number;
  /** Longitude in decimal degrees, negative west of Greenwich. */
  longitude: number;
  /** Region of the country in Portuguese: `Norte`, `Nordeste`, `Centro-Oeste`, `Sudeste` or `Sul`. Not checked. */
  region: string;
}

/** Fields of a new state. */
export interface StateCreate {
  /** IBGE code, 2 digits for the states of Brazil. The key of the state: the client chooses it, and it cannot be changed. */
  stateCode: number;
  /** Abbreviation of the state (unidade federativa): two characters, such as `SP`. Unique. */
  uf: string;
  /** Name in Portuguese, 1 to 255 characters in a request. */
  name: string;
  /** Latitude in decimal degrees, negative south of the equator. */
  latitude: number;
  /** Longitude in decimal degrees, negative west of Greenwich. */
  longitude: number;
  /** Region of the country in Portuguese: `Norte`, `Nordeste`, `Centro-Oeste`, `Sudeste` or `Sul`. Not checked. */
  region: string;
}

/**
 * Changes of a state. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be changed.
 */
export interface StateUpdate {
  /** Abbreviation of the state (unidade federativa): two characters, such as `SP`. Unique. */
  uf?: string | undefined;
  /** Name in Portuguese, 1 to 255 characters in a request. */
  name?: string | undefined;
  /** Latitude in decimal degrees, negative south of the equator. */
  latitude?: number | undefined;
  /** Longitude in decimal degrees, negative west of Greenwich. */
  longitude?: number | undefined;
  /** Region of the country in Portuguese: `Norte`, `Nordeste`, `Centro-Oeste`, `Sudeste` or `Sul`. Not checked. */
  region?: string | undefined;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type StateSort =
  | 'stateCode'
  | '-stateCode'
  | 'uf'
  | '-uf'
  | 'name'
  | '-name'
  | 'latitude'
  | '-latitude'
  | 'longitude'
  | '-longitude'
  | 'region'
  | '-region'
  | (string & {});

/**
 * One page of a list of State records: with the totals of the whole list, or with the cursor of the next page if the request has `cursor`.
 */
export interface StatePage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: State[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** An app that runs for a customer. Users and applications work in a tenant, with the organizations linked to it. */
export interface Tenant {
  /** Id of the tenant, set by the service. The value of `X-Tenant-Id`. */
  id: string;
  /** Id of the customer that the app runs for. Cannot be changed. */
  customerId: string;
  /** Id of the app that runs for the customer. Cannot be changed. */
  appId: string;
  /** Display name, 1 to 255 characters in a request. Not unique. */
  name: string;
  /** Whether users and applications can work in the tenant. If false, they get 403 there. */
  active: boolean;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata: Record<string, unknown> | null;
  /**
   * Client id of the tenant's application at the identity provider. A service token belongs to the tenant whose `identityClientId` equals
   * its `azp`. Unique. Null if no application acts for the tenant.
   */
  identityClientId: string | null;
  /**
   * Scopes of the tenant's application in calls between apps, at most 1,000. Informational: the service stores them and does not act on
   * them. Null if none were stored.
   */
  allowedScopes: string[] | null;
}

/** The main fields of an organization that is linked to the tenant. */
export interface TenantOrganization {
  /** Id of the organization, set by the service. */
  id: string;
  /** Legal name (razão social), 1 to 255 characters in a request. */
  name: string;
  /** Trade name (nome fantasia). Null if there is none. */
  alias: string | null;
  /**
   * Federal tax id (CNPJ or CPF): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The
   * check digits are not verified.
   */
  federalTaxId: string;
  /** Whether the organization is active. For your own use: the service stores it and does not act on it. */
  active: boolean;
  /**
   * Whether your frontend may show the organization in public lists, independently of `active`. The service does not act on it: its own
   * lists contain organizations that are not listed.
   */
  listed: boolean;
}

/** Organizations of a tenant, without pages. */
export interface TenantOrganizationList {
  /** All organizations of the tenant that are in the caller's scope, not paginated. */
  data: TenantOrganization[];
}

/** Fields of a new tenant. */
export interface TenantCreate {
  /** Id of the customer that the app runs for. Cannot be changed. */
  customerId: string;
  /** Id of the app that runs for the customer. Cannot be changed. */
  appId: string;
  /** Display name, 1 to 255 characters in a request. Not unique. */
  name: string;
  /** Whether users and applications can work in the tenant. If false, they get 403 there. Default: true. */
  active?: boolean | undefined;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata?: Record<string, unknown> | null | undefined;
  /**
   * Client id of the tenant's application at the identity provider. A service token belongs to the tenant whose `identityClientId` equals
   * its `azp`. Unique. Null if no application acts for the tenant.
   */
  identityClientId?: string | null | undefined;
  /**
   * Scopes of the tenant's application in calls between apps, at most 1,000. Informational: the service stores them and does not act on
   * them. Null if none were stored.
   */
  allowedScopes?: string[] | null | undefined;
}

/**
 * Changes of a tenant. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be changed.
 */
export interface TenantUpdate {
  /** Display name, 1 to 255 characters in a request. Not unique. */
  name?: string | undefined;
  /** Whether users and applications can work in the tenant. If false, they get 403 there. */
  active?: boolean | undefined;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata?: Record<string, unknown> | null | undefined;
  /**
   * Client id of the tenant's application at the identity provider. A service token belongs to the tenant whose `identityClientId` equals
   * its `azp`. Unique. Null if no application acts for the tenant.
   */
  identityClientId?: string | null | undefined;
  /**
   * Scopes of the tenant's application in calls between apps, at most 1,000. Informational: the service stores them and does not act on
   * them. Null if none were stored.
   */
  allowedScopes?: string[] | null | undefined;
}

/** A new tenant: a Tenant without `identityClientId`. */
export interface TenantCreated {
  /** Id of the tenant, set by the service. The value of `X-Tenant-Id`. */
  id: string;
  /** Id of the customer that the app runs for. Cannot be changed. */
  customerId: string;
  /** Id of the app that runs for the customer. Cannot be changed. */
  appId: string;
  /** Display name, 1 to 255 characters in a request. Not unique. */
  name: string;
  /** Whether users and applications can work in the tenant. If false, they get 403 there. */
  active: boolean;
  /** JSON object of your own, which a request replaces as a whole. At most 64 KiB of JSON text. The service does not read it. */
  metadata: Record<string, unknown> | null;
  /**
   * Scopes of the tenant's application in calls between apps, at most 1,000. Informational: the service stores them and does not act on
   * them. Null if none were stored.
   */
  allowedScopes: string[] | null;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type TenantSort =
  | 'id'
  | '-id'
  | 'customerId'
  | '-customerId'
  | 'appId'
  | '-appId'
  | 'name'
  | '-name'
  | 'active'
  | '-active'
  | 'identityClientId'
  | '-identityClientId'
  | (string & {});

/**
 * One page of a list of Tenant records: with the totals of the whole list, or with the cursor of the next page if the request has `cursor`.
 */
export interface TenantPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: Tenant[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** What became of a delivery. */
export type WebhookDeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

/** One request to the URL of a webhook. */
export interface WebhookAttempt {
  /** Time at which the request was sent, in UTC with milliseconds. */
  at: string;
  /** Time until the end of the response, or until the attempt failed, in milliseconds. */
  durationMs: number;
  /** HTTP status of the response. Null if no response arrived. */
  responseStatus: number | null;
  /** The first 1,024 characters of the response. Null if no response arrived. */
  responseBody: string | null;
  /** Why the attempt failed, such as a refused connection. Null if a whole response arrived, whatever its status. */
  error: string | null;
}

/** An event that the service sends to a webhook. */
export interface WebhookDelivery {
  /** Id of the delivery, set by the service. A replay of the event is another delivery. */
  id: string;
  /** Id of the event, which its requests have as `webhook-id`. */
  eventId: string;
  /** Type of the event, such as `organization.updated`. */
  type: EventType;
  /** The record that was changed. */
  record: EventRecord;
  /** `PENDING`: is to be sent. `DELIVERED`: the receiver has accepted the event. `FAILED`: is not sent again by itself. */
  status: WebhookDeliveryStatus;
  /** The attempts so far, oldest first. */
  attempts: WebhookAttempt[];
  /**
   * Earliest time of the next attempt, in UTC with milliseconds. Null if the delivery has ended, and while an earlier one of the same
   * record is pending.
   */
  nextAttemptAt: string | null;
  /** Time at which the delivery was created, in UTC with milliseconds. */
  createdAt: string;
}

/** One page of deliveries, without totals. */
export interface WebhookDeliveryList {
  /** Deliveries of this page, newest first. */
  data: WebhookDelivery[];
  /** Value of `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

/** Why the service disabled a webhook. */
export type WebhookDisabledReason = 'ENDPOINT_GONE' | 'FAILING';

/** A URL to which the service sends events. */
export interface Webhook {
  /** Id of the webhook, set by the service. */
  id: string;
  /**
   * Tenant whose events the webhook gets. Null: the events of all tenants. Only a Global user without an active tenant chooses it; for
   * others it is the active tenant. Cannot be changed.
   */
  tenantId: string | null;
  /**
   * URL to which the service sends events: `https`, without credentials, with the port 443, 8443 or one above 1023. The host name must
   * resolve to public addresses only.
   */
  url: string;
  /** What receives the events, at most 5,000 characters in a request. Null if unknown. */
  description: string | null;
  /** Types of the events to send, 1 to 50 in a request: `organization.updated`, all of a type of records (`organization.*`), or `*`. */
  types: string[];
  /** Whether the owner wants events to be sent. If true in a PUT, it also enables a disabled webhook again. */
  active: boolean;
  /** Time at which the service disabled the webhook. Null if it is not disabled. */
  disabledAt: string | null;
  /** `ENDPOINT_GONE`: the URL answered 410. `FAILING`: no request succeeded for 5 days. Null if it is not disabled. */
  disabledReason: WebhookDisabledReason | null;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
}

/** A new webhook: a Webhook with its secret. */
export interface WebhookCreated {
  /** Id of the webhook, set by the service. */
  id: string;
  /**
   * Tenant whose events the webhook gets. Null: the events of all tenants. Only a Global user without an active tenant chooses it; for
   * others it is the active tenant. Cannot be changed.
   */
  tenantId: string | null;
  /**
   * URL to which the service sends events: `https`, without credentials, with the port 443, 8443 or one above 1023. The host name must
   * resolve to public addresses only.
   */
  url: string;
  /** What receives the events, at most 5,000 characters in a request. Null if unknown. */
  description: string | null;
  /** Types of the events to send, 1 to 50 in a request: `organization.updated`, all of a type of records (`organization.*`), or `*`. */
  types: string[];
  /** Whether the owner wants events to be sent. If true in a PUT, it also enables a disabled webhook again. */
  active: boolean;
  /** Time at which the service disabled the webhook. Null if it is not disabled. */
  disabledAt: string | null;
  /** `ENDPOINT_GONE`: the URL answered 410. `FAILING`: no request succeeded for 5 days. Null if it is not disabled. */
  disabledReason: WebhookDisabledReason | null;
  /** Time of creation, in UTC with milliseconds. Set by the service. */
  createdAt: string;
  /** Time of the last change, in UTC with milliseconds. Set by the service; equal to `createdAt` at first. */
  updatedAt: string;
  /** Secret that signs the requests: `whsec_` and the base64 of 32 random bytes. No other response contains it, so store it. */
  secret: string;
}

/** The new secret of a webhook. */
export interface WebhookSecret {
  /** Secret that signs the requests: `whsec_` and the base64 of 32 random bytes. No other response contains it, so store it. */
  secret: string;
  /** Until then, requests are also signed with the previous secret. */
  previousSecretExpiresAt: string;
}

/** Fields of a new webhook. */
export interface WebhookCreate {
  /**
   * Tenant whose events the webhook gets. Null: the events of all tenants. Only a Global user without an active tenant chooses it; for
   * others it is the active tenant. Cannot be changed. Default: null.
   */
  tenantId?: string | null | undefined;
  /**
   * URL to which the service sends events: `https`, without credentials, with the port 443, 8443 or one above 1023. The host name must
   * resolve to public addresses only.
   */
  url: string;
  /** What receives the events, at most 5,000 characters in a request. Null if unknown. */
  description?: string | null | undefined;
  /** Types of the events to send, 1 to 50 in a request: `organization.updated`, all of a type of records (`organization.*`), or `*`. */
  types: EventTypeFilter[];
  /** Whether the owner wants events to be sent. If true in a PUT, it also enables a disabled webhook again. Default: true. */
  active?: boolean | undefined;
}

/**
 * Changes of a webhook. An absent field keeps its value. `null` clears a nullable field. The service ignores fields that cannot be changed.
 */
export interface WebhookUpdate {
  /**
   * URL to which the service sends events: `https`, without credentials, with the port 443, 8443 or one above 1023. The host name must
   * resolve to public addresses only.
   */
  url?: string | undefined;
  /** What receives the events, at most 5,000 characters in a request. Null if unknown. */
  description?: string | null | undefined;
  /** Types of the events to send, 1 to 50 in a request: `organization.updated`, all of a type of records (`organization.*`), or `*`. */
  types?: EventTypeFilter[] | undefined;
  /** Whether the owner wants events to be sent. If true in a PUT, it also enables a disabled webhook again. */
  active?: boolean | undefined;
}

/** Which events to send again. */
export interface WebhookReplay {
  /** Only events at or after this date (2026-01-31) or date-time (2026-01-31T12:00:00Z). */
  startDate: string;
  /** Only events at or before this date-time, or by the end of this date. Without it, up to now. */
  endDate?: string | undefined;
  /** Only events of these types, as far as the webhook gets them. */
  types?: EventTypeFilter[] | undefined;
  /** Only events whose last delivery to the webhook has failed. Default: false. */
  onlyFailed?: boolean | undefined;
}

/** The webhook whose replay has begun. */
export interface WebhookReplayStarted {
  /** Id of the webhook that gets the events. */
  id: string;
}

/** A field of the records; with `-` before it, in descending order. Later versions may add fields. */
export type WebhookSort =
  | 'id'
  | '-id'
  | 'tenantId'
  | '-tenantId'
  | 'active'
  | '-active'
  | 'disabledAt'
  | '-disabledAt'
  | 'disabledReason'
  | '-disabledReason'
  | 'createdAt'
  | '-createdAt'
  | 'updatedAt'
  | '-updatedAt'
  | (string & {});

/**
 * One page of a list of Webhook records: with the totals of the whole list, or with the cursor of the next page if the request has
 * `cursor`.
 */
export interface WebhookPage {
  /** Records of this page, at most `limit`. Empty on a page past the end. */
  data: Webhook[];
  /** Number of records on all pages that match the filters. Absent if the request has `cursor`. */
  total?: number | undefined;
  /** `total` divided by `limit`, rounded up. 0 for an empty list. Absent if the request has `cursor`. */
  totalPages?: number | undefined;
  /** The `page` of the request, from 1. Absent if the request has `cursor`. */
  currentPage?: number | undefined;
  /** Value of `cursor` for the next page, null on the last one. Absent if the request has no `cursor`. */
  nextCursor?: string | null | undefined;
}

/** An invalid field of a request. */
export interface FieldError {
  /** Path of the field, such as `address.zipCode`, or the name of the parameter. Empty for the whole input. */
  path: string;
  /** What is wrong with the field. */
  message: string;
}

/** The body of every error response (RFC 9457). */
export interface Problem {
  /** URL of the documentation of the code. */
  type: string;
  /** Short text for the code. The same for every occurrence. */
  title: string;
  /** HTTP status of the response. */
  status: number;
  /** Stable, machine-readable name of the error. New codes may be added: keep a default branch. `/errors` describes the codes. */
  code: ErrorCode | (string & {});
  /** What went wrong in this request, as text for people. */
  detail: string;
  /** Id of the request, as in the header `X-Request-Id`. */
  instance: string;
  /** Invalid fields. Only with VALIDATION_FAILED. */
  errors?: FieldError[] | undefined;
}
