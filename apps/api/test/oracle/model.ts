import { type contract, type Endpoint, recordOf, type RecordType, recordTypes } from '@profile-service/contracts';
import type { OutputOf } from '../support/records.ts';
import type { Token } from './token.ts';

/**
 * The records that the database should contain, as in responses but without timestamps: the validTo of a closed address is `closed`.
 * Each map is in the order of creation.
 */
export interface Model {
  readonly customers: Map<string, Customer>;
  readonly apps: Map<string, App>;
  readonly tenants: Map<string, Tenant>;
  /** Without deleted ones. */
  readonly users: Map<string, User>;
  /** By user and tenant. */
  readonly memberships: Map<string, Membership>;
  /** Without deleted ones. */
  readonly organizations: Map<string, Organization>;
  /** Organization and tenant. */
  readonly links: Set<string>;
  readonly endedLinks: Set<string>;
  /** With those of deleted organizations, which still reference their city. */
  readonly organizationAddresses: Map<string, Address>;
  readonly organizationContacts: Map<string, Contact>;
  readonly attachments: Map<string, Attachment>;
  readonly webhooks: Map<string, Webhook>;
  readonly imports: Map<string, StoredImport>;
  readonly documentTypes: Map<string, DocumentType>;
  readonly states: Map<number, State>;
  readonly cities: Map<number, City>;
  /** E-mail → subject at the identity provider. */
  readonly identities: Map<string, string>;
  /** The audit log, newest first. Nothing predicts it: it is read from the database. */
  readonly auditEntries: Map<string, AuditEntry>;
  /** The events, in their order. Nothing predicts them: they are read from the database. */
  readonly events: Map<string, StoredEvent>;
  /** Read from the database. */
  readonly deliveries: Map<string, StoredDelivery>;
  /** Webhook → the id of the last event that was or was not sent to it. */
  readonly sentUpTo: Map<string, string>;
  /** The id of the event after which a cursor continues. */
  readonly eventCursors: Map<string, string>;
  /** Organization and tenant: the links that ended with the deletion of the organization. */
  readonly linksAtDeletion: Set<string>;
  /** Soft-deleted ones. */
  readonly deletedUsers: Map<string, User>;
  readonly deletedOrganizations: Map<string, Organization>;
  /** Ids of removed records, by the map that they were in. */
  readonly removedIds: Map<object, string[]>;
}

export type Persona = 'tenant-admin' | 'coordinator' | 'technician' | 'viewer';
export const personas: readonly Persona[] = ['tenant-admin', 'coordinator', 'technician', 'viewer'];

/** A record in the responses of an endpoint, without what cannot be predicted. */
type RecordOf<E extends Endpoint> = Omit<OutputOf<E>, 'createdAt' | 'updatedAt' | 'validFrom'>;

export type Customer = RecordOf<typeof contract.customers.get>;
export type App = RecordOf<typeof contract.apps.get>;
export type Tenant = RecordOf<typeof contract.tenants.get>;
export type User = RecordOf<typeof contract.users.get>;
export type Organization = RecordOf<typeof contract.organizations.get>;
export type Address = Omit<RecordOf<typeof contract.organizationAddresses.get>, 'validTo'> & { validTo: null | 'closed' };
export type Contact = RecordOf<typeof contract.organizationContacts.get>;
export type DocumentType = RecordOf<typeof contract.documentTypes.get>;
export type State = RecordOf<typeof contract.states.get>;
export type City = RecordOf<typeof contract.cities.get>;
export type Webhook = RecordOf<typeof contract.webhooks.get>;
/** With the active tenant at the upload, and the file. No response shows them. */
export type Attachment = RecordOf<typeof contract.attachments.update> & { tenantId: string | null; content: string };
/** With the caller's token, the rows of the file, and what became of them. */
export type StoredImport = Omit<RecordOf<typeof contract.imports.get>, 'startedAt' | 'finishedAt'> & {
  startedAt: null | 'set';
  finishedAt: null | 'set';
  token: Token;
  given: readonly Record<string, unknown>[];
  results: ImportResult[];
};
export interface ImportResult {
  row: number;
  status: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED';
  id: string | null;
  code: string | null;
}

export interface Membership {
  userId: string;
  tenantId: string;
  persona: Persona | null;
  scope: 'ALL' | 'RESTRICTED';
  grants: Set<string>;
}

/** The changed fields of a record. */
export interface AuditedValues {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** A row of the audit log. */
export interface AuditEntry extends AuditedValues {
  id: string;
  occurredAt: string;
  outcome: string;
  code: string | null;
  actorKind: 'USER' | 'APPLICATION' | 'SYSTEM';
  actorId: string | null;
  requestId: string | null;
  operation: string;
  tenantId: string | null;
  organizationId: string | null;
  recordType: string | null;
  recordId: string | null;
  related: (AuditedValues & { type: string; id: string })[];
  cascade: Record<string, unknown>;
  /** Whether the record is an attachment with the entityType DOCUMENT. */
  isDocument: boolean;
}

/** A row of the view `events`. */
export interface StoredEvent {
  id: string;
  type: string;
  occurredAt: string;
  actorKind: 'USER' | 'APPLICATION' | 'SYSTEM';
  actorId: string | null;
  requestId: string | null;
  tenantId: string | null;
  organizationId: string | null;
  recordType: RecordType;
  recordId: string;
  changed: string[];
  data: Record<string, unknown>;
}

/** A delivery of an event to a webhook. */
export interface StoredDelivery {
  id: string;
  webhookId: string;
  eventId: string;
}

export const emptyModel = (): Model =>
  ({
    ...Object.fromEntries(recordTypes.map((type) => [recordOf(type).table, new Map()])),
    imports: new Map(),
    links: new Set(),
    endedLinks: new Set(),
    identities: new Map(),
    auditEntries: new Map(),
    events: new Map(),
    deliveries: new Map(),
    sentUpTo: new Map(),
    eventCursors: new Map(),
    linksAtDeletion: new Set(),
    deletedUsers: new Map(),
    deletedOrganizations: new Map(),
    removedIds: new Map(),
  }) as unknown as Model;

export type Key = string | number;

/** The records of a type. Those of a resource that `Model` does not name have a map too. */
export const tableOf = (model: Model, type: RecordType): Map<Key, object> =>
  (model as unknown as Record<string, Map<Key, object>>)[recordOf(type).table] as Map<Key, object>;

/** The key of a membership (user, tenant) and of a link (organization, tenant). */
export const pair = (one: string, tenantId: string): string => `${one} ${tenantId}`;

export const isLinked = (model: Model, organizationId: string, tenantId: string): boolean =>
  model.links.has(pair(organizationId, tenantId));

export const tenantsOf = (model: Model, organizationId: string): Tenant[] =>
  [...model.tenants.values()].filter(({ id }) => isLinked(model, organizationId, id));

export const membershipsOf = (model: Model, userId: string): Membership[] =>
  [...model.memberships.values()].filter((membership) => membership.userId === userId);

/** Removes a record and remembers its id. */
export function removeRecord(model: Model, table: Map<Key, unknown>, id: Key): void {
  table.delete(id);
  model.removedIds.set(table, [...(model.removedIds.get(table) ?? []), String(id)]);
}

/** Removes a link, and with it the grants on that organization in that tenant. */
export function unlink(model: Model, organizationId: string, tenantId: string): void {
  const link = pair(organizationId, tenantId);
  if (model.links.delete(link)) model.endedLinks.add(link);
  for (const membership of model.memberships.values()) if (membership.tenantId === tenantId) membership.grants.delete(organizationId);
}
