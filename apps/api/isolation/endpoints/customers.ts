import { unsetFields } from '@profile-service/contracts/examples';
import type { Customer } from '../../test/oracle/model.ts';
import { newTaxId, next, someOf } from './draws.ts';
import { drive } from './records.ts';

const editable = ['name', 'alias', 'email', 'phone', 'logoPath', 'active'];

export const customers = drive<Customer>({
  table: 'customers',
  key: 'id',
  notFound: 'CUSTOMER_NOT_FOUND',
  editable,
  drawCreation: ({ model, random }) => ({
    name: `Customer ${next()}`,
    federalTaxId: random.chance(0.15) ? (random.pick([...model.customers.values()])?.federalTaxId ?? newTaxId()) : newTaxId(),
  }),
  drawChanges: (context) => someOf(context, { name: `Customer ${next()}`, phone: `+55 ${next()}`, active: context.random.chance(0.5) }),
  refuseCreation: ({ model, input }) =>
    [...model.customers.values()].some(({ federalTaxId }) => federalTaxId === input['federalTaxId'])
      ? 'CUSTOMER_ALREADY_EXISTS'
      : undefined,
  make: ({ input }, { id }) => ({ ...unsetFields('customers.create'), ...input, id }) as unknown as Customer,
  showCreated: ({ logoPath: _, ...shown }) => shown,
  // A soft-deleted user still references the customer.
  refuseRemoval: ({ model }, { id }) =>
    [...model.tenants.values(), ...model.users.values(), ...model.deletedUsers.values()].some(({ customerId }) => customerId === id)
      ? 'CUSTOMER_IN_USE'
      : undefined,
});
