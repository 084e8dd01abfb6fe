import { contract } from '@profile-service/contracts';
import { pageOf } from '@profile-service/db';
import { implement } from '../handler/handler.ts';
import { assertInScope } from './scope-checks.ts';

export const serviceDocuments = implement(contract.service.documents, {
  list: async ({ input: { organizationId, startDate, endDate, ...paging }, caller, scoped }) => {
    await assertInScope(caller, scoped, organizationId);
    let query = scoped
      .documents()
      .selectAll('attachments')
      .select((eb) => eb.ref('attachments.entityId').$notNull().as('organizationId'));
    if (organizationId !== undefined) query = query.where('attachments.entityId', '=', organizationId);
    if (startDate !== undefined) query = query.where('attachments.createdAt', '>=', startDate);
    if (endDate !== undefined) query = query.where('attachments.createdAt', '<=', endDate);
    return pageOf(query, paging, (ordered) => ordered.orderBy('attachments.id', 'desc'));
  },
});
