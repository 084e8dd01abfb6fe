import { contract, ProblemError } from '@profile-service/contracts';
import { newId, pageOf, type ScopedDatabase } from '@profile-service/db';
import { implement, ownsTransaction, upload } from '../handler/handler.ts';
import { whenTenantDeleted } from './tenant-deleted.ts';

const notFound = () => new ProblemError('ATTACHMENT_NOT_FOUND');

/** An attachment belongs to no organization outside the scope, nor to a deleted one; to any other id it may (decisions, part 3). */
async function assertAttachable(scoped: ScopedDatabase, entityId: string | null | undefined): Promise<void> {
  if (entityId && !(await scoped.lockAttachmentTarget(entityId))) throw new ProblemError('NOT_ALLOWED_ORGANIZATION');
}

export const attachments = implement(contract.attachments, {
  create: upload(
    (file, { attachmentFiles }) => attachmentFiles.receive(file),
    async ({ input: { file, ...fields }, caller, transaction }) => {
      const filePath = await file.place(fields.entityType);
      return transaction(async (unit) => {
        const { filename: originalFilename, contentType, size } = file;
        const attachment = await unit.scoped
          .insertAttachment({ ...fields, id: newId(), userId: caller.userId, filePath, originalFilename, contentType, size })
          .returningAll()
          .executeTakeFirstOrThrow()
          .catch(whenTenantDeleted(caller));
        // After the record, whose references lock its tenant and its user: who deletes those begins with them too.
        await assertAttachable(unit.scoped, fields.entityId);
        file.keep();
        return attachment;
      });
    },
  ),

  list: ({ input: { entityType, entityId, userId, startDate, endDate, ...paging }, scoped }) => {
    let query = scoped.attachments().selectAll('attachments');
    if (entityType !== undefined) query = query.where('attachments.entityType', '=', entityType);
    if (entityId !== undefined) query = query.where('attachments.entityId', '=', entityId);
    if (userId !== undefined) query = query.where('attachments.userId', '=', userId);
    if (startDate !== undefined) query = query.where('attachments.createdAt', '>=', startDate);
    if (endDate !== undefined) query = query.where('attachments.createdAt', '<=', endDate);
    return pageOf(query, paging, (ordered) => ordered.orderBy('attachments.id', 'desc'));
  },

  get: async ({ input, scoped, attachmentFiles }) => {
    const attachment = await scoped
      .attachments()
      .selectAll('attachments')
      .where('attachments.id', '=', input.id)
      .executeTakeFirstOrThrow(notFound);
    return attachmentFiles.download(attachment);
  },

  update: async ({ input: { id, ...fields }, scoped }) => {
    await assertAttachable(scoped, fields.entityId);
    return (await scoped.patch('attachments', id, fields)) ?? Promise.reject(notFound());
  },

  // The record decides: once it is gone the file is, at once or by the janitor.
  remove: ownsTransaction(async ({ input: { id }, transaction, attachmentFiles }) => {
    const { filePath } = await transaction(({ scoped }) =>
      scoped
        .updateTable('attachments')
        .set({ deletedAt: new Date().toISOString() })
        .where('attachments.id', '=', id)
        .returning('attachments.filePath')
        .executeTakeFirstOrThrow(notFound),
    );
    await attachmentFiles.remove(filePath);
  }),
});
