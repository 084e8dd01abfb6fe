import type { Contract } from '../src/index.ts';
import type { ExamplesOf, Records } from './example.ts';
import { absent, byId, none, prose } from './values.ts';

const ofAttachment = byId((records) => records.attachment(records.tenant));
const years = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2990-01-01T00:00:00.000Z' };
/** The id of an organization outside the scope of the tenant. An id of no organization would be accepted. */
const foreignEntity = async ({ organization, foreign }: Records) => ({ entityId: (await organization(foreign)).id });

export const attachments: ExamplesOf<Contract['attachments']> = {
  // The file is not part of the input: the REST transport adds it.
  create: {
    valid: () => ({ description: 'Estatuto social' }),
    optional: async ({ organization, tenant }) => ({ entityId: (await organization(tenant)).id, entityType: 'DOCUMENT' }),
    lengths: { description: prose },
    errors: { NOT_ALLOWED_ORGANIZATION: foreignEntity },
  },
  list: {
    valid: none,
    optional: async ({ organization, tenant, person }) => ({
      entityType: 'DOCUMENT',
      entityId: (await organization(tenant)).id,
      userId: (await person()).id,
      ...years,
    }),
    invalid: {
      startDate: ['2026-02-30', 'yesterday', '0000-01-01'],
      endDate: ['10/03/2026', "2026-01-01'; drop table attachments; --", '9999-12-31T23:59:59-23:59'],
      entityType: ['PHOTO'],
      entityId: ['none'],
      userId: ['1'],
    },
  },
  get: { valid: ofAttachment, errors: { ATTACHMENT_NOT_FOUND: absent('id') } },
  update: {
    valid: async (records) => ({ ...(await ofAttachment(records)), description: 'Ata' }),
    changes: async ({ organization, tenant }) => ({ entityId: (await organization(tenant)).id, description: 'Other' }),
    lengths: { description: prose },
    errors: { ATTACHMENT_NOT_FOUND: absent('id'), NOT_ALLOWED_ORGANIZATION: foreignEntity },
  },
  remove: { valid: ofAttachment, errors: { ATTACHMENT_NOT_FOUND: absent('id') } },
};

export const serviceDocuments: ExamplesOf<Contract['service']['documents']> = {
  list: {
    valid: none,
    optional: async ({ organization, tenant }) => ({ organizationId: (await organization(tenant)).id, ...years }),
    invalid: { organizationId: ['1'], startDate: ['today'], endDate: ['2026-13-01'] },
    errors: { NOT_ALLOWED_ORGANIZATION: absent('organizationId') },
  },
};
