import { contract } from '@profile-service/contracts';
import { listAuditEntries } from '../journal/entries.ts';
import { read } from '../request/handler.ts';
import { implement } from '../request/router.ts';

export const auditEntries = implement(contract.auditEntries, {
  list: read(({ input, caller, scoped, encodeRow }) => listAuditEntries(caller, scoped, input, encodeRow)),
});

export const serviceAuditEntries = implement(contract.service.auditEntries, {
  list: read(({ input, caller, scoped, encodeRow }) => listAuditEntries(caller, scoped, input, encodeRow)),
});
