import { contract, ProblemError } from '@profile-service/contracts';
import {
  addressColumns,
  newId,
  type Placeholders,
  type ScopedDatabase,
  scopedPageStatement,
  scopedPatchStatement,
  scopedStatement,
} from '@profile-service/db';
import { sql, type SqlBool } from 'kysely';
import { exportRecords, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { listedColumns } from '../request/declared-columns.ts';
import { assertInScope, lockOrganizationOfInput } from '../request/scope-checks.ts';

const notFound = () => new ProblemError('ORGANIZATION_ADDRESS_NOT_FOUND');

type ById = Placeholders<{ id: string }>;

/**
 * Computes `validFrom` of a new address: the current time. The start of the transaction could be before the `validFrom` of an address for which it waited.
 * It is after every other `validFrom` and not before any `validTo`, even if the clock was set back.
 */
const nextValidFrom = scopedStatement((scoped, p: Placeholders<{ organizationId: string }>) =>
  scoped
    .addresses()
    .select(
      sql<string>`greatest(clock_timestamp()::timestamptz(3), max(valid_from) + interval '1 millisecond', max(valid_to))`.as('validFrom'),
    )
    .where('organizationId', '=', p.organizationId),
);
const closeCurrentAddress = scopedStatement((scoped, p: Placeholders<{ organizationId: string; validTo: string }>) =>
  scoped
    .updateTable('organizationAddresses')
    .set({ validTo: p.validTo })
    .where('organizationAddresses.organizationId', '=', p.organizationId)
    .where('organizationAddresses.validTo', 'is', null),
);
const setCurrentAddress = scopedStatement((scoped, p: Placeholders<{ id: string; organizationId: string }>) =>
  scoped.updateTable('organizations').set({ organizationAddressId: p.id }).where('organizations.id', '=', p.organizationId),
);
const listAddresses = scopedPageStatement(contract.organizationAddresses.list, (scoped, p) =>
  scoped
    .addresses()
    .select(listedColumns(contract.organizationAddresses.list, 'organizationAddresses'))
    .where(sql<SqlBool>`(${p.currentOnly} is not true or organization_addresses.valid_to is null)`),
);
const getAddress = scopedStatement((scoped, p: ById) =>
  scoped.addresses().selectAll('organizationAddresses').where('organizationAddresses.id', '=', p.id),
);
const lockAddress = scopedStatement((scoped, p: ById) =>
  scoped.addresses().select('organizationAddresses.validTo').where('organizationAddresses.id', '=', p.id).forUpdate(),
);
const patchAddress = scopedPatchStatement('organizationAddresses', addressColumns);
const deleteAddress = scopedStatement((scoped, p: ById) =>
  scoped.deleteFrom('organizationAddresses').where('organizationAddresses.id', '=', p.id).returning('organizationAddresses.id'),
);

const lockOrganization = ({ input, scoped }: { input: { id: string }; scoped: ScopedDatabase }) =>
  scoped.lockOrganizationOf('organizationAddresses', input.id, notFound);

export const organizationAddresses = implement(contract.organizationAddresses, {
  // ADDRESSES-1: `validTo` of the current address becomes `validFrom` of the new one.
  create: write(lockOrganizationOfInput, async ({ input: { organizationId, ...fields }, scoped }, organization) => {
    const { validFrom } = await scoped.one(nextValidFrom, { organizationId });
    await scoped.run(closeCurrentAddress, { organizationId, validTo: validFrom });
    const address = await organization.insertAddress({ ...fields, id: newId(), validFrom });
    await scoped.atCommit.run(setCurrentAddress, { id: address.id, organizationId });
    return address;
  }),

  list: read(async ({ input, caller, scoped }) => {
    await assertInScope(caller, scoped, input.organizationId);
    return readList(scoped, listAddresses, input);
  }),

  export: exportRecords({
    check: ({ input, caller, scoped }) => assertInScope(caller, scoped, input.organizationId),
    statement: ({ sort }) => listAddresses.allBy(sort),
  }),

  get: read(({ input, scoped }) => scoped.first(getAddress, input, notFound)),

  // The foreign key over city and state checks the two together, with their new values.
  update: write(lockOrganization, async ({ input, scoped }) => {
    const { validTo } = await scoped.first(lockAddress, input, notFound);
    if (validTo !== null) throw new ProblemError('ORGANIZATION_ADDRESS_NOT_CURRENT');
    return scoped.atCommit.patch(patchAddress, input, notFound);
  }),

  remove: write(lockOrganization, async ({ input, scoped }) => {
    // The foreign key clears `organizationAddressId`.
    await scoped.atCommit.first(deleteAddress, input, notFound);
  }),
});
