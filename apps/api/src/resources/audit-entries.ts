import { contract } from '@profile-service/contracts';
import { listVisibleEntries } from '@profile-service/db';
import { assertMayFilter, listAuditEntries, showEntries } from '../journal/entries.ts';
import { exportRecords, read } from '../request/handler.ts';
import { implement } from '../request/router.ts';

export const auditEntries = implement(contract.auditEntries, {
  list: read(({ input, caller, scoped, encodeRow }) => listAuditEntries(caller, scoped, input, encodeRow)),

  export: exportRecords({
    check: ({ input, caller, scoped }) => assertMayFilter(caller, scoped, input),
    statement: () => listVisibleEntries,
    show: showEntries,
  }),
});

export const serviceAuditEntries = implement(contract.service.auditEntries, {
  list: read(({ input, caller, scoped, encodeRow }) => listAuditEntries(caller, scoped, input, encodeRow)),
});
