import type { Contract } from '../src/index.ts';
import type { ExamplesOf } from './example.ts';
import { absent, byId, longer, none } from './values.ts';

const ofImport = byId((records) => records.importFile(records.tenant));
const notFound = { IMPORT_NOT_FOUND: absent('id') };

export const imports: ExamplesOf<Contract['imports']> = {
  // The file is not part of the input: the REST transport adds one without rows.
  create: {
    valid: () => ({ type: 'organizations' }),
    optional: () => ({ format: 'csv', mode: 'upsert', dryRun: 'true', delimiter: ',' }),
    invalid: { type: ['organization', undefined], format: ['xlsx'], mode: ['replace'], dryRun: ['yes'], delimiter: ['|', ',,'] },
    errors: { INVALID_IMPORT_FILE: () => ({ type: 'memberships' }) },
  },
  list: {
    valid: none,
    optional: () => ({ type: 'organizations', status: 'QUEUED' }),
    invalid: { type: ['organization'], status: ['queued'], limit: ['0', '101', '1.5'], cursor: ['none', 'e30', longer(1024)] },
  },
  template: { valid: () => ({ type: 'organizations' }), invalid: { type: ['organization', undefined], format: ['xlsx'] } },
  get: { valid: ofImport, errors: notFound },
  // CSV needs the stored file.
  results: {
    valid: async (records) => ({ ...(await ofImport(records)), format: 'csv' }),
    invalid: { status: ['failed'], format: ['xlsx'] },
    errors: notFound,
  },
  cancel: {
    valid: ofImport,
    errors: {
      ...notFound,
      IMPORT_NOT_RUNNING: async (records) => {
        const cancelled = await ofImport(records);
        await records.send(`DELETE /api/imports/${cancelled.id}`);
        return cancelled;
      },
    },
  },
};
