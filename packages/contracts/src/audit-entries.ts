import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { exportDescription, exportOf } from './export.ts';
import { exampleIds } from './examples.ts';
import { JsonObject, ShortText, Timestamp, timeFilters, Uuid } from './fields.ts';
import { recordTypes } from './records.ts';

export const auditOutcomes = ['COMMITTED', 'REFUSED'] as const;
export const actorKinds = ['USER', 'APPLICATION', 'SYSTEM'] as const;

const example = {
  id: exampleIds.auditEntry,
  occurredAt: '2026-01-15T12:00:00.000Z',
  outcome: 'COMMITTED',
  code: null,
  actor: { kind: 'USER', id: exampleIds.user },
  requestId: '5d1f0c9e-8a55-4c38-9f6e-2b7a1c3d4e5f',
  operation: 'organizationContacts.update',
  tenantId: exampleIds.tenant,
  organizationId: exampleIds.organization,
  record: { type: 'organizationContact', id: exampleIds.contact },
  changes: [{ field: 'isPrimary', before: false, after: true }],
  related: [
    {
      type: 'organizationContact',
      id: exampleIds.previousContact,
      changes: [{ field: 'isPrimary', before: true, after: false }],
    },
  ],
  cascade: {},
};

const RecordType = z.enum(recordTypes).meta({ id: 'RecordType', description: 'Type of a record that the API shows.' });

const AuditOutcome = z.enum(auditOutcomes).meta({ id: 'AuditOutcome', description: 'What became of an audited request.' });
const AuditActorKind = z.enum(actorKinds).meta({ id: 'AuditActorKind', description: 'Kind of the actor of an audit entry.' });

const FieldChange = z
  .object({
    field: z.string().describe('Name of the field, as in the schema of the record.'),
    before: z.unknown().describe('Value before the change; null for a creation. `{ "omitted": <bytes> }` stands for a value over 8 KiB.'),
    after: z.unknown().describe('Value after the change; null for a deletion. `{ "omitted": <bytes> }` stands for a value over 8 KiB.'),
  })
  .meta({ id: 'FieldChange', description: 'One changed field of a record.', example: example.changes[0] });

const changes = z.array(FieldChange).nullable();

const AuditActor = z
  .object({
    kind: AuditActorKind.describe('`USER`: a person. `APPLICATION`: the application of a tenant. `SYSTEM`: the service itself.'),
    id: Uuid.nullable().describe(
      "Id of the user, or of the application's tenant. Null for SYSTEM, and for an actor who is not of the caller's active tenant.",
    ),
  })
  .meta({ id: 'AuditActor', description: 'Who made a request.', example: example.actor });

const AuditRecord = z
  .object({
    type: RecordType.nullable().describe('Type of the record. Null if the operation has no record.'),
    id: z
      .string()
      .nullable()
      .describe(
        'Id of the record. `<userId>:<tenantId>` for memberships and scopes, `<organizationId>:<tenantId>` for links. Null if there is none, and for a link of another tenant.',
      ),
  })
  .meta({ id: 'AuditRecord', description: 'The main record of an operation.', example: example.record });

const RelatedRecord = z
  .object({
    type: RecordType.describe('Type of the other record, often that of the main record.'),
    id: z.string().describe('Id of the other record, in the form of `record.id`.'),
    changes: changes.describe('Changed fields. Null if the caller may not read records of this type.'),
  })
  .meta({ id: 'RelatedRecord', description: 'Another record that the same operation changed.', example: example.related[0] });

const AuditCascade = JsonObject.meta({
  id: 'AuditCascade',
  description: 'Numbers of records by type. Of an export: `rows` is the number of records in the file, `filters` what selected them.',
});

export const AuditEntry = z
  .object({
    id: Uuid.describe('Id of the entry, set by the service.'),
    occurredAt: Timestamp.describe('Time at which the change was committed or the request refused, in UTC with milliseconds.'),
    outcome: AuditOutcome.describe('`COMMITTED`: the change was made. `REFUSED`: the request got 403.'),
    code: z.string().nullable().describe('Error code of a refused request, such as `NOT_ALLOWED`. Null for a committed change.'),
    actor: AuditActor.describe('Who made the request.'),
    requestId: z.string().nullable().describe('Id of the request. Not unique: clients may choose it, and the calls of a batch share it.'),
    operation: z.string().describe('Name of the tRPC procedure, such as `organizations.update`, also for a REST request.'),
    tenantId: Uuid.nullable().describe(
      'Tenant of the record, or active tenant of the actor. Null if the caller may not see who the actor is.',
    ),
    organizationId: Uuid.nullable().describe('Id of the organization that the record is or belongs to. Null if there is none.'),
    record: AuditRecord.describe('What was changed, or what the refused request named.'),
    changes: changes.describe('Changed fields of the record. Null if the caller may not read them.'),
    related: z
      .array(RelatedRecord)
      .describe('Other records that the operation changed and that the caller may see, such as the previous primary contact. Often empty.'),
    cascade: AuditCascade.describe(
      'How many records a deletion removed or hid, by record type. Of an export, `rows` and `filters`. Empty for other operations, in a tenant for records that all tenants share, and of an export for a member whose organization scope is RESTRICTED.',
    ),
  })
  .meta({ id: 'AuditEntry', description: 'A committed change or a refused request.', example });

export type AuditEntryItem = z.output<typeof AuditEntry>;

const AuditEntryList = z
  .object({
    data: z.array(AuditEntry).describe('Entries of this page, newest first.'),
    nextCursor: z.string().nullable().describe('Value of `cursor` for the next page. Null on the last page.'),
  })
  .meta({
    id: 'AuditEntryList',
    description: 'One page of audit entries, without totals.',
    example: { data: [example], nextCursor: null },
  });

const query = {
  ...timeFilters('entries written'),
  actorId: Uuid.optional().describe(
    "Only entries of this user, or of this tenant's application. Matches only entries that show the actor.",
  ),
  operation: ShortText.optional().describe('Only entries of this procedure, such as `organizations.update`.'),
  recordType: RecordType.optional().describe('Only entries about records of this type.'),
  recordId: z.string().max(200).optional().describe('Only entries about the record with this id.'),
  organizationId: Uuid.optional().describe("Only entries of this organization. It must be in the caller's scope."),
  tenantId: Uuid.optional().describe('Only entries of this tenant. Matches only entries that show the tenant.'),
  outcome: AuditOutcome.optional().describe('Only committed changes, or only refused requests.'),
  limit: z.int32().min(1).max(100).default(20).describe('Entries per page, from 1 to 100.'),
  cursor: z.string().max(1024).optional().describe('`nextCursor` of the previous page. Send it with the same filters.'),
};

const order = 'Newest first, in pages without totals: send `nextCursor` as `cursor` until it is null.';

export const auditEntries = {
  list: defineEndpoint('GET /api/audit-entries', access.user('audit-entries', 'read', 'resource:audit-entries'), {
    summary: 'List audit entries',
    description: `${order} Contains the entries of the active tenant and of the organizations in the caller's scope; all entries for a Global user without an active tenant.`,
    query,
    output: AuditEntryList,
    success: 200,
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
  export: defineEndpoint('GET /api/audit-entries/export', access.user('audit-entries', 'read', 'resource:audit-entries'), {
    summary: 'Export audit entries',
    description: exportDescription,
    ...exportOf({ query }, AuditEntry),
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
};

export const serviceAuditEntries = {
  list: defineEndpoint('GET /service/audit-entries', access.service, {
    summary: 'List audit entries as an application',
    description: `${order} Contains the entries of the token's tenant and of the organizations linked to it.`,
    query,
    output: AuditEntryList,
    success: 200,
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
};
