import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues, Records } from './example.ts';
import { absent, badExports, badNames, byId, idAndTimes, line, long, longer, none, required } from './values.ts';

const invalid: InvalidValues = {
  name: ['', ...badNames, null, longer(line)],
  email: [
    'no mail',
    '\u212Aate@example.com',
    `ana@${'example.'.repeat(32)}com`,
    `${longer(64)}@example.com`,
    `ana@${longer(63)}.com`,
    'ana@example-.com',
  ],
  type: ['Root', 'admin'],
};
const invalidOptions: InvalidValues = { jobTitle: [7], customerId: ['7'] };
const invalidCpf = ['5299822472', '529982247250', '52998224735', '52998224726', '529.982.247-25', '11111111111', 52998224725];
const ofUser = byId((records) => records.person());

/** The e-mail of an identity whose user has a new e-mail. */
async function identityWithUser({ person, send, newPerson }: Records) {
  const { id, email } = await person();
  await send(`PUT /api/users/${id}`, { email: newPerson().email });
  return { email };
}
const knownEmail = async ({ person }: Records) => ({ email: (await person()).email });

export const users: ExamplesOf<Contract['users']> = {
  create: {
    valid: ({ newPerson }) => newPerson(),
    optional: async ({ tenant }) => ({ jobTitle: 'Field', customerId: tenant.customerId }),
    limits: ({ newTaxId }) => ({ name: long(line), email: `${newTaxId()}${'a'.repeat(50)}@${'b'.repeat(63)}.com` }),
    invalid: { ...required({ ...invalid, federalTaxId: invalidCpf }), ...invalidOptions },
    lengths: { jobTitle: line },
    // Rules: USERS-12
    errors: {
      USER_ALREADY_EXISTS: async ({ person }) => ({ federalTaxId: (await person()).federalTaxId }),
      IDENTITY_ALREADY_LINKED: identityWithUser,
      CUSTOMER_NOT_FOUND: absent('customerId'),
    },
    record: {
      generated: { ...idAndTimes, idIdentity: 'text' },
      nullable: { jobTitle: null, customerId: null },
      unique: { fields: ['email', 'federalTaxId'], code: 'USER_ALREADY_EXISTS' },
    },
  },
  list: {
    valid: none,
    optional: ({ tenant }) => ({ name: 'a', email: 'b', type: 'Admin', customerId: tenant.customerId }),
    invalid: { type: ['admin'], customerId: ['7'] },
    lengths: { name: line, email: line },
  },
  export: { valid: none, invalid: { ...badExports, type: ['admin'] } },
  get: { valid: ofUser, errors: { USER_NOT_FOUND: absent('id') }, large: ({ person }) => ({ id: person.id }) },
  update: {
    valid: async (records) => ({ ...(await ofUser(records)), name: 'Renamed' }),
    changes: ({ newPerson, tenant }) => ({
      name: 'Other',
      email: newPerson().email,
      type: 'Coordinator',
      jobTitle: 'Other',
      customerId: tenant.customerId,
    }),
    fixed: { id: 'no uuid', idIdentity: 'other', federalTaxId: '52998224725' },
    invalid: { ...invalid, ...invalidOptions },
    lengths: { jobTitle: line },
    errors: { USER_NOT_FOUND: absent('id'), CUSTOMER_NOT_FOUND: absent('customerId'), USER_ALREADY_EXISTS: knownEmail },
    large: ({ person }) => ({ id: person.id, name: 'Renamed' }),
  },
  remove: { valid: ofUser, errors: { USER_NOT_FOUND: absent('id') }, large: ({ person }) => ({ id: person.id }) },
};

export const serviceUsers: ExamplesOf<Contract['service']['users']> = {
  create: {
    valid: ({ newPerson }) => ({ ...newPerson(), type: 'Technician', persona: 'technician' }),
    optional: () => ({ jobTitle: 'Field' }),
    invalid: {
      ...required({ ...invalid, type: ['Global'], persona: ['global', null], federalTaxId: invalidCpf }),
      jobTitle: [7],
    },
    lengths: { jobTitle: line },
    errors: { IDENTITY_ALREADY_LINKED: identityWithUser, USER_DATA_MISMATCH: knownEmail },
  },
};
