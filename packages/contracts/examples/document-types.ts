import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues, Records } from './example.ts';
import { absent, badFlags, badNames, byId, idAndTimes, line, longer, none, prose, required } from './values.ts';

const newDocumentType = ({ newTaxId }: Records) => ({ name: newTaxId() });
const ofDocumentType = byId((records) => records.create('POST /api/document-types', newDocumentType(records)));
const invalid: InvalidValues = {
  name: ['', ...badNames, null, longer(line)],
  isRequired: ['true'],
  description: [7],
  requiresApproval: [null],
  hasExpiration: [1],
  hasAuthenticityCode: ['no'],
  isActive: [null],
};
const lengths = { description: prose };
const knownName = async (records: Records) => {
  const documentType = newDocumentType(records);
  await records.create('POST /api/document-types', documentType);
  return documentType;
};

export const documentTypes: ExamplesOf<Contract['documentTypes']> = {
  create: {
    valid: newDocumentType,
    optional: () => ({
      description: 'Yearly',
      isRequired: true,
      requiresApproval: true,
      hasExpiration: true,
      defaultValidityDays: 365,
      hasAuthenticityCode: true,
      isActive: false,
    }),
    together: ['hasExpiration', 'defaultValidityDays'],
    limits: ({ newTaxId }) => ({ name: newTaxId().padEnd(line, 'ç'), defaultValidityDays: 2 ** 31 - 1 }),
    invalid: { ...invalid, ...required({ name: invalid['name'] ?? [] }), defaultValidityDays: [0, -1, 1.5, '30', 2 ** 31] },
    lengths,
    errors: { DOCUMENT_TYPE_ALREADY_EXISTS: knownName },
    record: {
      generated: idAndTimes,
      nullable: { description: null, defaultValidityDays: null },
      defaults: { isRequired: false, requiresApproval: false, hasExpiration: false, hasAuthenticityCode: false, isActive: true },
      unique: { fields: ['name'], code: 'DOCUMENT_TYPE_ALREADY_EXISTS' },
    },
  },
  list: {
    valid: none,
    optional: () => ({ name: 'a', isActive: true, isRequired: false }),
    invalid: { isActive: badFlags, isRequired: badFlags },
    lengths: { name: line },
  },
  get: { valid: ofDocumentType, errors: { DOCUMENT_TYPE_NOT_FOUND: absent('id') } },
  update: {
    valid: async (records) => ({ ...(await ofDocumentType(records)), isActive: false }),
    changes: ({ newTaxId }) => ({
      name: newTaxId(),
      isRequired: true,
      description: 'Other',
      requiresApproval: true,
      hasExpiration: true,
      defaultValidityDays: 7,
      hasAuthenticityCode: true,
      isActive: false,
    }),
    together: ['hasExpiration', 'defaultValidityDays'],
    fixed: { id: 'no uuid' },
    invalid,
    lengths,
    errors: { DOCUMENT_TYPE_NOT_FOUND: absent('id'), DOCUMENT_TYPE_ALREADY_EXISTS: knownName },
  },
  remove: { valid: ofDocumentType, errors: { DOCUMENT_TYPE_NOT_FOUND: absent('id') } },
};
