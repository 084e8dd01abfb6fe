import { contract, ProblemError } from '@profile-service/contracts';
import {
  columns,
  newId,
  noBackupRuns,
  now,
  type Placeholders,
  type ScopedDatabase,
  scopedPageStatement,
  scopedPatchStatement,
  scopedStatement,
} from '@profile-service/db';
import { external, type InputOf, read, upload, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';
import type { FileRecord } from '../request/files.ts';
import { assertTenantExists, whenTenantDeleted } from './tenant-deleted.ts';

const notFound = () => new ProblemError('ATTACHMENT_NOT_FOUND');

type ById = Placeholders<{ id: string }>;
type NewAttachment = Omit<InputOf<typeof contract.attachments.create>, 'file'> & FileRecord & { userId: string };

const insertAttachment = scopedStatement((scoped, p: Placeholders<NewAttachment>) =>
  scoped
    .insertAttachment(
      columns(p, 'id', 'entityType', 'entityId', 'description', 'userId', 'filePath', 'originalFilename', 'contentType', 'size'),
    )
    .returningAll(),
);
const listAttachments = scopedPageStatement(contract.attachments.list, (scoped) =>
  scoped.attachments().select(listedColumns(contract.attachments.list, 'attachments')),
);
const getAttachment = scopedStatement((scoped, p: ById) =>
  scoped.attachments().selectAll('attachments').where('attachments.id', '=', p.id),
);
const patchAttachment = scopedPatchStatement('attachments', bodyColumns(contract.attachments.update, 'id'));
const deleteAttachment = scopedStatement((scoped, p: ById) =>
  scoped
    .updateTable('attachments')
    .set({ deletedAt: now })
    .where('attachments.id', '=', p.id)
    .returning(['attachments.filePath', noBackupRuns.as('mayRemoveFile')]),
);

/** Throws NOT_ALLOWED_ORGANIZATION unless the id belongs to a live organization in scope, or to no organization at all (SCOPE-14, D-38). */
async function assertAttachable(scoped: ScopedDatabase, entityId: string | null | undefined): Promise<void> {
  if (entityId && !(await scoped.lockAttachmentTarget(entityId))) throw new ProblemError('NOT_ALLOWED_ORGANIZATION');
}

const assertTarget = ({ input, scoped }: { input: { entityId?: string | null | undefined }; scoped: ScopedDatabase }) =>
  assertAttachable(scoped, input.entityId);

export const attachments = implement(contract.attachments, {
  create: upload({
    receive: (file, { attachmentFiles }) => attachmentFiles.receive(file),
    async check({ input: { entityId }, caller, scoped, unscoped }) {
      if (!entityId || (await scoped.lockAttachmentTarget(entityId))) return;
      // A deleted tenant has no organizations.
      await assertTenantExists(unscoped, caller);
      throw new ProblemError('NOT_ALLOWED_ORGANIZATION');
    },
    async run({ input: { file, ...fields }, caller, transaction }) {
      const filePath = await file.place(fields.entityType);
      return transaction(async ({ scoped }) => {
        const { filename: originalFilename, contentType, size } = file;
        const attachment = await scoped
          .one(insertAttachment, { ...fields, id: newId(), userId: caller.userId, filePath, originalFilename, contentType, size })
          .catch(whenTenantDeleted(caller));
        // Lock after the insert, whose foreign keys lock tenant and user: deletions lock in the same order, so there is no deadlock (D-50).
        await assertAttachable(scoped, fields.entityId);
        file.keep();
        return attachment;
      });
    },
  }),

  list: read(({ input, scoped }) => readList(scoped, listAttachments, input)),

  get: read(async ({ input, scoped, attachmentFiles }) => attachmentFiles.download(await scoped.first(getAttachment, input, notFound))),

  update: write(assertTarget, ({ input, scoped }) => scoped.atCommit.patch(patchAttachment, input, notFound)),

  // Delete the row first. If deleting the object fails, or while a backup runs, the storage clean-up deletes it later (ATTACHMENTS-18).
  remove: external({
    async run({ input: { id }, transaction, attachmentFiles }) {
      const { filePath, mayRemoveFile } = await transaction(({ scoped }) => scoped.first(deleteAttachment, { id }, notFound));
      if (mayRemoveFile) await attachmentFiles.remove(filePath);
    },
  }),
});
