import { contract } from '@profile-service/contracts';
import { ifGiven, type Placeholders, scopedPageStatement } from '@profile-service/db';
import { type InputOf, read } from '../request/handler.ts';
import { implement } from '../request/router.ts';
import { assertInScope } from '../request/scope-checks.ts';

type Filters = Placeholders<InputOf<typeof contract.service.documents.list>, 'organizationId'>;

const listDocuments = scopedPageStatement(
  (scoped, p: Filters) => {
    const query = scoped
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
      .select((eb) => eb.ref('attachments.entityId').$notNull().as('organizationId'))
      .where((eb) => ifGiven(p.startDate, (startDate) => eb('attachments.createdAt', '>=', startDate)))
      .where((eb) => ifGiven(p.endDate, (endDate) => eb('attachments.createdAt', '<=', endDate)));
    return p.organizationId === undefined ? query : query.where('attachments.entityId', '=', p.organizationId);
  },
  (query) => query.orderBy('attachments.id', 'desc'),
  ['organizationId'],
);

export const serviceDocuments = implement(contract.service.documents, {
  list: read(async ({ input, caller, scoped }) => {
    await assertInScope(caller, scoped, input.organizationId);
    return scoped.page(listDocuments, input);
  }),
});
