import { contract } from '@profile-service/contracts';
import { scopedPageStatement } from '@profile-service/db';
import { read } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { assertInScope } from '../request/scope-checks.ts';

const listDocuments = scopedPageStatement(
  contract.service.documents.list,
  (scoped) =>
    scoped
      .documents()
      .select([
        'attachments.id',
        'attachments.originalFilename',
        'attachments.description',
        'attachments.external',
        'attachments.contentType',
        'attachments.size',
        'attachments.createdAt',
        'attachments.updatedAt',
      ])
      .select((eb) => eb.ref('attachments.entityId').$notNull().as('organizationId')),
  { columns: { organizationId: 'attachments.entityId' } },
);

export const serviceDocuments = implement(contract.service.documents, {
  list: read(async ({ input, caller, scoped }) => {
    await assertInScope(caller, scoped, input.organizationId);
    return readList(scoped, listDocuments, input);
  }),
});
