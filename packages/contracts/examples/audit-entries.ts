import type { Contract } from '../src/index.ts';
import type { ExamplesOf, Records } from './example.ts';
import { absent, line, longer, none } from './values.ts';

const filters = async ({ organization, tenant, person }: Records) => {
  const { id } = await organization(tenant);
  return {
    actorId: (await person()).id,
    organizationId: id,
    recordId: id,
    startDate: '2020-01-01T00:00:00.000Z',
    endDate: '2990-01-01T00:00:00.000Z',
    outcome: 'COMMITTED',
  };
};
const errors = { NOT_ALLOWED_ORGANIZATION: absent('organizationId') };

export const auditEntries: ExamplesOf<Contract['auditEntries']> = {
  list: {
    valid: none,
    optional: filters,
    invalid: {
      startDate: ['2026-02-30'],
      endDate: ['yesterday'],
      actorId: ['7'],
      operation: [longer(line), '\0'],
      recordType: ['Organization', 'cooperative'],
      recordId: [longer(200), '\0'],
      organizationId: ['7'],
      tenantId: ['7'],
      outcome: ['committed'],
      limit: ['0', '101', '1.5'],
      cursor: ['none', longer(1024)],
    },
    lengths: { operation: line, recordId: 200 },
    errors,
    large: () => ({ limit: 5 }),
  },
  export: {
    valid: none,
    optional: filters,
    invalid: { format: ['xlsx'], bom: ['1'], outcome: ['committed'], recordId: [longer(200)] },
    errors,
  },
};

export const serviceAuditEntries: ExamplesOf<Contract['service']['auditEntries']> = {
  list: {
    valid: none,
    optional: filters,
    invalid: { outcome: ['DONE'], limit: ['-1'], cursor: ['e30', '%%'] },
    errors,
    large: () => ({ limit: 5 }),
  },
};
