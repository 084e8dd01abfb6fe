import type { Contract } from '../src/index.ts';
import type { Example, ExamplesOf, Input, InvalidValues, LargeRecords, Records } from './example.ts';
import { addressLengths, invalidAddress, invalidAddressOptions } from './organization-addresses.ts';
import { contactLengths, invalidContact, invalidContactOptions } from './organization-contacts.ts';
import { curitiba, praca } from './places.ts';
import {
  absent,
  badExports,
  badFlags,
  badNames,
  badTaxIds,
  byId,
  idAndTimes,
  line,
  locator,
  long,
  longer,
  none,
  required,
  within,
} from './values.ts';

/** The body that creates an organization. */
export const newOrganization = ({ newTaxId }: Pick<Records, 'newTaxId'>) => ({
  name: 'Cooperativa Vale Verde',
  federalTaxId: newTaxId(),
  address: praca,
});

const ofOrganization = byId((records) => records.organization(records.tenant));
const largeOrganization = ({ organization }: LargeRecords) => ({ id: organization.id });
const invalid: InvalidValues = {
  name: ['', ...badNames, null, longer(line)],
  alias: [7, ...badNames],
  stateTaxId: [7],
  municipalTaxId: [7],
  logoPath: [false],
  active: [null],
  listed: ['true'],
  metadata: [[]],
};
const lengths = { alias: line, stateTaxId: line, municipalTaxId: line, logoPath: locator };
const phones = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'PHONE', value: String(index) }));
const withAddress = (fields: Input) => () => ({ address: { ...praca, ...fields } });

/** The optional fields of a new organization, besides its contacts. */
export const organizationOptions = {
  alias: 'CA',
  stateTaxId: '1',
  municipalTaxId: '2',
  logoPath: 'logo.png',
  active: false,
  listed: false,
  metadata: { snake_case: { camelCase: [1, null] } },
};

/** Of both endpoints that create an organization. */
const create: Example<ReturnType<typeof newOrganization>> = {
  valid: newOrganization,
  optional: () => organizationOptions,
  limits: ({ newTaxId }) => ({ name: long(line), federalTaxId: newTaxId().slice(-11) }),
  variants: (records) => [
    ...[1, 3].map((count) => ({ ...newOrganization(records), contacts: phones(count) })),
    { ...newOrganization(records), address: { ...praca, complement: 'A', district: 'Centro', latitude: 1, longitude: 2 } },
  ],
  invalid: {
    ...invalid,
    ...required({ name: invalid['name'] ?? [], federalTaxId: badTaxIds }),
    address: [undefined, null],
    contacts: [null, {}],
    ...within('address', { ...required(invalidAddress), ...invalidAddressOptions }),
    ...within('contacts.0', { ...required(invalidContact), ...invalidContactOptions }),
  },
  lengths,
  // Rules: ORGANIZATIONS-6
  errors: {
    ORGANIZATION_ALREADY_EXISTS: async ({ organization }) => ({ federalTaxId: (await organization()).federalTaxId }),
    INVALID_STATE: withAddress({ stateCode: 99 }),
    INVALID_CITY: withAddress({ cityCode: 1 }),
    CITY_STATE_MISMATCH: withAddress({ stateCode: curitiba.stateCode }),
  },
  // At most 1,000 contacts, the limit of the contract.
  large: ({ size }, records) => ({ ...newOrganization(records), contacts: phones(size) }),
};
/** The limits of the texts inside the address and the contacts of a new organization. */
export const nestedLengths = { address: addressLengths, contact: contactLengths };

const filters = async ({ organization, tenant }: Records) => ({
  organizationId: (await organization(tenant)).id,
  name: 'vale',
  active: true,
  listed: true,
});

export const organizations: ExamplesOf<Contract['organizations']> = {
  create: {
    ...create,
    record: {
      generated: { ...idAndTimes, organizationAddressId: 'text', deletedAt: null },
      nullable: { alias: null, stateTaxId: null, municipalTaxId: null, logoPath: null, metadata: null },
      defaults: { active: true, listed: true },
      unique: { fields: ['federalTaxId'], code: 'ORGANIZATION_ALREADY_EXISTS' },
      requestOnly: ['address', 'contacts'],
    },
  },
  list: {
    valid: none,
    optional: filters,
    invalid: { organizationId: ['7'], active: badFlags, listed: badFlags, name: ['\0', longer(line)] },
    lengths: { name: line },
    errors: { NOT_ALLOWED_ORGANIZATION: absent('organizationId'), ORGANIZATION_NOT_FOUND: absent('organizationId') },
  },
  export: {
    valid: none,
    optional: filters,
    invalid: { ...badExports, active: badFlags },
    errors: { NOT_ALLOWED_ORGANIZATION: absent('organizationId'), ORGANIZATION_NOT_FOUND: absent('organizationId') },
  },
  get: { valid: ofOrganization, errors: { ORGANIZATION_NOT_FOUND: absent('id') }, large: largeOrganization },
  update: {
    valid: async (records) => ({ ...(await ofOrganization(records)), alias: 'C' }),
    changes: () => ({
      name: 'Other',
      alias: 'Other',
      stateTaxId: '3',
      municipalTaxId: '4',
      logoPath: '/other.png',
      active: false,
      listed: false,
      metadata: { a_b: { cD: [] } },
    }),
    fixed: { id: 'no uuid', federalTaxId: '1', organizationAddressId: 'no uuid', deletedAt: 'now', createdAt: 7, address: null },
    invalid,
    lengths,
    errors: { ORGANIZATION_NOT_FOUND: absent('id') },
    large: (records) => ({ ...largeOrganization(records), alias: 'V' }),
  },
  remove: {
    valid: ofOrganization,
    errors: {
      ORGANIZATION_NOT_FOUND: absent('id'),
      ORGANIZATION_IN_USE: async ({ tenant, foreign, organization, link }) => {
        const { id } = await organization(tenant);
        await link(foreign, id);
        return { id };
      },
    },
    large: largeOrganization,
  },
};

const ofLink = async (records: Records) => ({ organizationId: (await ofOrganization(records)).id });
const largeLink = ({ organization }: LargeRecords) => ({ organizationId: organization.id });

export const serviceOrganizations: ExamplesOf<Contract['service']['organizations']> = {
  create,
  list: {
    valid: none,
    optional: filters,
    invalid: { organizationId: ['7'], active: badFlags, listed: badFlags },
    lengths: { name: line },
    errors: { NOT_ALLOWED_ORGANIZATION: absent('organizationId') },
  },
  export: { valid: none, optional: filters, invalid: badExports, errors: { NOT_ALLOWED_ORGANIZATION: absent('organizationId') } },
  link: { valid: ofLink, errors: { ORGANIZATION_NOT_FOUND: absent('organizationId') }, large: largeLink },
  unlink: { valid: ofLink, errors: { ORGANIZATION_NOT_FOUND: absent('organizationId') }, large: largeLink },
  findByFederalTaxId: {
    valid: async ({ organization, tenant }) => ({ federalTaxId: (await organization(tenant)).federalTaxId }),
    invalid: { federalTaxId: badTaxIds },
    errors: { ORGANIZATION_NOT_FOUND: () => ({ federalTaxId: '9'.repeat(14) }) },
    large: ({ organization }) => ({ federalTaxId: organization.federalTaxId }),
  },
};
