import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues, LargeRecords, Records } from './example.ts';
import { absent, badExports, badFlags, byId, idAndTimes, locator, none, prose, required } from './values.ts';

const newContact = async ({ organization, tenant }: Records) => ({
  organizationId: (await organization(tenant)).id,
  type: 'PHONE' as const,
  value: '+55 11 5555-0000',
});
const ofContact = byId(async (records) => records.create('POST /api/organization-contacts', await newContact(records)));
const largeContact = ({ contactId }: LargeRecords) => ({ id: contactId });
export const invalidContact: InvalidValues = { type: ['FAX', 'phone', null], value: ['', 7, null] };
export const invalidContactOptions: InvalidValues = { description: [7], isPrimary: [null, 'true'] };
export const contactLengths = { value: locator, description: prose };
const outOfScope = { NOT_ALLOWED_ORGANIZATION: absent('organizationId'), ORGANIZATION_NOT_FOUND: absent('organizationId') };

export const organizationContacts: ExamplesOf<Contract['organizationContacts']> = {
  create: {
    valid: newContact,
    optional: () => ({ description: 'Office', isPrimary: true }),
    invalid: { ...required({ ...invalidContact, organizationId: ['7'] }), ...invalidContactOptions },
    lengths: contactLengths,
    errors: outOfScope,
    record: { generated: idAndTimes, nullable: { description: null }, defaults: { isPrimary: false } },
    large: ({ organization }) => ({ organizationId: organization.id, type: 'PHONE', value: '1', isPrimary: true }),
  },
  list: {
    valid: none,
    optional: async ({ organization, tenant }) => ({ organizationId: (await organization(tenant)).id, type: 'PHONE', isPrimary: true }),
    invalid: { organizationId: ['7'], type: ['FAX', 'email'], isPrimary: badFlags },
    errors: outOfScope,
    large: ({ organization }) => ({ organizationId: organization.id, limit: 5 }),
  },
  export: { valid: none, invalid: { ...badExports, type: ['FAX'] }, errors: outOfScope },
  get: { valid: ofContact, errors: { ORGANIZATION_CONTACT_NOT_FOUND: absent('id') }, large: largeContact },
  update: {
    valid: async (records) => ({ ...(await ofContact(records)), isPrimary: true }),
    changes: () => ({ type: 'URL', value: 'https://other.example', description: 'Other', isPrimary: true }),
    // A PHONE has any value, a URL must be one.
    together: ['type', 'value'],
    fixed: { id: 'no uuid', organizationId: 'no uuid' },
    invalid: { ...invalidContact, ...invalidContactOptions },
    lengths: contactLengths,
    errors: { ORGANIZATION_CONTACT_NOT_FOUND: absent('id') },
    large: (records) => ({ ...largeContact(records), isPrimary: true }),
  },
  remove: { valid: ofContact, errors: { ORGANIZATION_CONTACT_NOT_FOUND: absent('id') }, large: largeContact },
};
