import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues, Records } from './example.ts';
import { absent, badExports, badNames, badTaxIds, byId, line, locator, long, none, required } from './values.ts';

const newCustomer = ({ newTaxId }: Records) => ({ federalTaxId: newTaxId(), name: 'Central' });
const ofCustomer = byId((records) => records.create('POST /api/customers', newCustomer(records)));
const invalid: InvalidValues = {
  name: ['', ...badNames, null],
  alias: badNames,
  email: ['no mail', 'ana@example.\u212Aom'],
  active: ['yes', null],
  phone: [11],
};
const lengths = { alias: line, phone: line, logoPath: locator };

export const customers: ExamplesOf<Contract['customers']> = {
  create: {
    valid: newCustomer,
    optional: () => ({ alias: 'C', email: 'a@example.com', phone: '11', logoPath: 'a.png', active: false }),
    limits: ({ newTaxId }) => ({ federalTaxId: `AB${newTaxId().slice(-12)}`, name: long(line) }),
    invalid: { ...invalid, ...required({ name: invalid['name'] ?? [], federalTaxId: badTaxIds }) },
    lengths,
    errors: {
      CUSTOMER_ALREADY_EXISTS: async (records) => {
        const customer = newCustomer(records);
        await records.create('POST /api/customers', customer);
        return customer;
      },
    },
    record: {
      generated: { id: 'id' },
      nullable: { alias: null, email: null, phone: null, logoPath: null },
      defaults: { active: true },
      unique: { fields: ['federalTaxId'], code: 'CUSTOMER_ALREADY_EXISTS' },
      absentAfterPost: ['logoPath'],
    },
  },
  list: { valid: none },
  export: { valid: none, invalid: badExports },
  get: { valid: ofCustomer, errors: { CUSTOMER_NOT_FOUND: absent('id') }, large: ({ tenant }) => ({ id: tenant.customerId }) },
  update: {
    valid: async (records) => ({ ...(await ofCustomer(records)), alias: 'C' }),
    changes: () => ({ name: 'Other', alias: 'Other', email: 'other@example.com', phone: '1', logoPath: '/other.png', active: false }),
    fixed: { id: 'no uuid', federalTaxId: '99999999999999' },
    invalid,
    lengths,
    errors: { CUSTOMER_NOT_FOUND: absent('id') },
    large: ({ tenant }) => ({ id: tenant.customerId, name: 'Renamed' }),
  },
  remove: {
    valid: ofCustomer,
    errors: { CUSTOMER_NOT_FOUND: absent('id'), CUSTOMER_IN_USE: async ({ newTenant }) => ({ id: (await newTenant()).customerId }) },
  },
};
