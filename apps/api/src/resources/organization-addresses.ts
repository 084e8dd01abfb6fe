import { contract, ProblemError } from '@profile-service/contracts';
import { newId, pageOf } from '@profile-service/db';
import { sql } from 'kysely';
import { implement } from '../handler/handler.ts';
import { lockInScope, assertInScope } from './scope-checks.ts';

const notFound = () => new ProblemError('ORGANIZATION_ADDRESS_NOT_FOUND');

export const organizationAddresses = implement(contract.organizationAddresses, {
  // Specification part 3: the current address is closed at the moment at which the new one begins.
  create: async ({ input: { organizationId, ...fields }, caller, scoped }) => {
    const organization = await lockInScope(caller, scoped, organizationId);
    // Not the transaction's begin, which may lie before that of an address for which it waited; never twice the same; and no sooner than the last end,
    // of which a clock that was set back knows nothing.
    const moment = sql<string>`greatest(clock_timestamp()::timestamptz(3), max(valid_from) + interval '1 millisecond', max(valid_to))`;
    const { validFrom } = await scoped
      .addresses()
      .select(moment.as('validFrom'))
      .where('organizationId', '=', organizationId)
      .executeTakeFirstOrThrow();
    await scoped
      .updateTable('organizationAddresses')
      .set({ validTo: validFrom })
      .where('organizationAddresses.organizationId', '=', organizationId)
      .where('organizationAddresses.validTo', 'is', null)
      .execute();
    const address = await organization
      .insertAddress({ ...fields, id: newId(), validFrom })
      .returningAll()
      .executeTakeFirstOrThrow();
    await scoped.patch('organizations', organizationId, { organizationAddressId: address.id });
    return address;
  },

  list: async ({ input: { organizationId, cityCode, stateCode, currentOnly, ...paging }, caller, scoped }) => {
    await assertInScope(caller, scoped, organizationId);
    let query = scoped.addresses().selectAll('organizationAddresses');
    if (organizationId !== undefined) query = query.where('organizationAddresses.organizationId', '=', organizationId);
    if (cityCode !== undefined) query = query.where('organizationAddresses.cityCode', '=', cityCode);
    if (stateCode !== undefined) query = query.where('organizationAddresses.stateCode', '=', stateCode);
    if (currentOnly) query = query.where('organizationAddresses.validTo', 'is', null);
    return pageOf(query, paging, (ordered) => ordered.orderBy('organizationAddresses.id', 'desc'));
  },

  get: ({ input, scoped }) =>
    scoped
      .addresses()
      .selectAll('organizationAddresses')
      .where('organizationAddresses.id', '=', input.id)
      .executeTakeFirstOrThrow(notFound),

  // City and state are checked together as they are then, by the foreign key over both.
  update: async ({ input: { id, ...fields }, scoped }) => {
    const { validTo } = await scoped
      .addresses()
      .select('organizationAddresses.validTo')
      .where('organizationAddresses.id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (validTo !== null) throw new ProblemError('ORGANIZATION_ADDRESS_NOT_CURRENT');
    return (await scoped.patch('organizationAddresses', id, fields)) ?? Promise.reject(notFound());
  },

  remove: async ({ input: { id }, scoped }) => {
    const { organizationId } = await scoped
      .addresses()
      .select('organizationAddresses.organizationId')
      .where('organizationAddresses.id', '=', id)
      .executeTakeFirstOrThrow(notFound);
    await scoped.lockOrganization(organizationId);
    // The foreign key would do it too, but without dating the change.
    await scoped
      .updateTable('organizations')
      .set({ organizationAddressId: null, updatedAt: sql<string>`now()` })
      .where('organizations.organizationAddressId', '=', id)
      .execute();
    await scoped
      .deleteFrom('organizationAddresses')
      .where('organizationAddresses.id', '=', id)
      .returning('organizationAddresses.id')
      .executeTakeFirstOrThrow(notFound);
  },
});
