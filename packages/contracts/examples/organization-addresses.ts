import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues, LargeRecords, Records } from './example.ts';
import { campinas, curitiba, praca, saoPaulo } from './places.ts';
import { absent, badExports, badFlags, line, long, longer, none, required } from './values.ts';

const ofAddress = async ({ organization, tenant }: Records) => ({ id: (await organization(tenant)).organizationAddressId ?? '' });
const largeAddress = ({ organization }: LargeRecords) => ({ id: organization.addressId });
export const invalidAddress: InvalidValues = {
  zipCode: ['0100100', '010010000', 1001000, null],
  street: ['', null],
  number: ['', 1, null],
  cityCode: ['3550308', 3550308.5, null],
  stateCode: [2 ** 31, 'SP', null],
};
export const invalidAddressOptions: InvalidValues = {
  complement: [7],
  district: [longer(50)],
  country: [longer(50)],
  latitude: ['0'],
  longitude: [true],
};
export const addressLengths = { street: line, number: line, complement: line };
const placeErrors = {
  STATE_NOT_FOUND: () => ({ stateCode: 99 }),
  CITY_NOT_FOUND: () => ({ cityCode: 1 }),
  CITY_STATE_MISMATCH: () => ({ stateCode: curitiba.stateCode }),
};
const outOfScope = { NOT_ALLOWED_ORGANIZATION: absent('organizationId'), ORGANIZATION_NOT_FOUND: absent('organizationId') };

export const organizationAddresses: ExamplesOf<Contract['organizationAddresses']> = {
  create: {
    valid: async ({ organization, tenant }) => ({ organizationId: (await organization(tenant)).id, ...praca }),
    optional: () => ({ complement: 'Sala 1', district: long(50), country: long(50), latitude: -25.42, longitude: -49.27 }),
    limits: () => ({ zipCode: 'ABCDEFGH' }),
    invalid: { ...required({ ...invalidAddress, organizationId: ['7'] }), ...invalidAddressOptions },
    lengths: addressLengths,
    // Rules: ADDRESSES-11
    errors: { ...outOfScope, ...placeErrors },
    record: {
      generated: { id: 'id', validFrom: 'time', validTo: null },
      nullable: { complement: null, district: null, country: 'Brasil', latitude: null, longitude: null },
    },
  },
  list: {
    valid: none,
    optional: async ({ organization, tenant }) => ({ organizationId: (await organization(tenant)).id, ...saoPaulo, currentOnly: true }),
    invalid: { organizationId: ['7'], cityCode: ['x', '1.5'], stateCode: ['SP'], currentOnly: badFlags },
    errors: outOfScope,
    large: ({ organization }) => ({ organizationId: organization.id, limit: 5 }),
  },
  export: { valid: none, invalid: { ...badExports, organizationId: ['7'] }, errors: outOfScope },
  get: { valid: ofAddress, errors: { ORGANIZATION_ADDRESS_NOT_FOUND: absent('id') }, large: largeAddress },
  update: {
    valid: async (records) => ({ ...(await ofAddress(records)), complement: 'Sala 1' }),
    changes: () => ({
      zipCode: '13010000',
      street: 'Other',
      number: 's/n',
      complement: 'Other',
      district: 'Other',
      ...campinas,
      latitude: 1.5,
      longitude: 1.5,
      country: 'Uruguay',
    }),
    together: ['cityCode', 'stateCode'],
    fixed: { id: 'no uuid', organizationId: 'no uuid', validFrom: '2001-01-01T00:00:00.000Z', validTo: '2002-01-01T00:00:00.000Z' },
    invalid: { ...invalidAddress, ...invalidAddressOptions },
    lengths: addressLengths,
    // Rules: ADDRESSES-11, ADDRESSES-12
    errors: {
      ORGANIZATION_ADDRESS_NOT_FOUND: absent('id'),
      ORGANIZATION_ADDRESS_NOT_CURRENT: async ({ organization, tenant, create }) => {
        const { id: organizationId, organizationAddressId: id } = await organization(tenant);
        await create('POST /api/organization-addresses', { organizationId, ...praca });
        return { id };
      },
      ...placeErrors,
    },
    large: (records) => ({ ...largeAddress(records), complement: 'A' }),
  },
  remove: { valid: ofAddress, errors: { ORGANIZATION_ADDRESS_NOT_FOUND: absent('id') } },
};
