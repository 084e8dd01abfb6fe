import type { Caller } from '@profile-service/auth';
import type { AuditEntryItem, RecordType } from '@profile-service/contracts';
import {
  EncodedRows,
  type EncodeRow,
  type EntryFilters,
  listVisibleEntries,
  type ScopedDatabase,
  type VisibleEntry,
} from '@profile-service/db';
import { z } from 'zod';
import { isPostgresTime, listCursor } from '../request/list-cursor.ts';
import { assertInScope } from '../request/scope-checks.ts';
import { type MayRead, readableRecords } from './readable-records.ts';
import { type EntryVisibility, visibilityFor } from './visibility.ts';

type Fields = Record<string, unknown> | null;

const cursors = listCursor(z.object({ at: z.iso.datetime({ precision: 3 }).refine(isPostgresTime), id: z.guid() }));

interface ListInput extends EntryFilters {
  limit: number;
  cursor?: string | undefined;
}

/**
 * For the scope `all`, an organization filter may name a deleted organization. Others get NOT_ALLOWED_ORGANIZATION, as for every other list (D-80).
 */
export async function assertMayFilter(caller: Caller, scoped: ScopedDatabase, { organizationId }: EntryFilters): Promise<void> {
  if (caller.organizationScope.kind !== 'all') await assertInScope(caller, scoped, organizationId);
}

/** Returns the function that shows what the caller may see of an entry. */
export function showEntries(caller: Caller): (entry: VisibleEntry) => AuditEntryItem {
  const mayRead = readableRecords(caller);
  const visibility = visibilityFor(caller, mayRead);
  return (entry) => show(entry, mayRead, visibility);
}

/**
 * Lists the audit entries that the caller may see, for users and for applications. Throws as `assertMayFilter`. Each entry is encoded when it arrives: one may
 * have thousands of related rows.
 */
export async function listAuditEntries(
  caller: Caller,
  scoped: ScopedDatabase,
  { limit, cursor, ...filters }: ListInput,
  encodeRow: EncodeRow,
) {
  const before = cursor === undefined ? undefined : cursors.decode(cursor, filters);
  await assertMayFilter(caller, scoped, filters);
  const showEntry = showEntries(caller);
  const position = { beforeTime: before?.at, beforeId: before?.id };
  let found = 0;
  let last: VisibleEntry | undefined;
  const { chunks } = await scoped.encoded(listVisibleEntries, { ...filters, ...position, limit: limit + 1 }, (row) => {
    found += 1;
    if (found > limit) return undefined;
    last = row as VisibleEntry;
    return encodeRow(showEntry(last));
  });
  const nextCursor = found > limit && last ? cursors.encode({ at: last.occurredAt, id: last.id }, filters) : null;
  return { data: new EncodedRows<AuditEntryItem>(chunks), nextCursor };
}

/** Shows the related rows and counts that the caller may see, and the values of the records that the caller may read. */
function show(entry: VisibleEntry, mayRead: MayRead, visibility: EntryVisibility): AuditEntryItem {
  const { actorKind, actorId, recordType, recordId, before, after, related, cascade, ...rest } = entry;
  const record = { type: recordType as RecordType | null, id: recordId };
  const isReadable = visibility.values(entry) && (recordType === null || mayRead(entry, { type: recordType, id: recordId }));
  return {
    ...rest,
    actor: { kind: actorKind, id: actorId },
    record,
    changes: isReadable ? changesOf(before, after) : null,
    related: related
      .filter((other) => visibility.related(entry, other))
      .map((other) => ({
        type: other.type as RecordType,
        id: other.id,
        changes: mayRead(entry, other) ? changesOf(other.before, other.after) : null,
      })),
    cascade: visibility.cascade(entry) ? cascade : {},
  };
}

/** The fields of both states, in alphabetical order, without those that are null in both. */
function changesOf(before: Fields, after: Fields) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  return fields
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => change.before !== null || change.after !== null);
}
