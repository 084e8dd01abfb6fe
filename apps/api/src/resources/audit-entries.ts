import { contract } from '@profile-service/contracts';
import { listAuditEntries } from '../journal/entries.ts';
import { implement } from '../request/handler.ts';

export const auditEntries = implement(contract.auditEntries, {
  list: ({ input, caller, scoped }) => listAuditEntries(caller, scoped, input),
});

export const serviceAuditEntries = implement(contract.service.auditEntries, {
  list: ({ input, caller, scoped }) => listAuditEntries(caller, scoped, input),
});
