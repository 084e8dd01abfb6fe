import type { Contract } from '../src/index.ts';
import type { ExamplesOf, Records } from './example.ts';
import { absent, badNames, byId, line, longer, none, required } from './values.ts';

const newApp = ({ newTaxId }: Records) => ({ name: newTaxId() });
const ofApp = byId((records) => records.create('POST /api/apps', newApp(records)));
const knownName = async (records: Records) => {
  const app = newApp(records);
  await records.create('POST /api/apps', app);
  return app;
};

export const apps: ExamplesOf<Contract['apps']> = {
  create: {
    valid: newApp,
    limits: ({ newTaxId }) => ({ name: newTaxId().padEnd(line, 'ç') }),
    invalid: required({ name: ['', ...badNames, null, 7, longer(line)] }),
    errors: { APP_ALREADY_EXISTS: knownName },
    record: { generated: { id: 'id' }, unique: { fields: ['name'], code: 'APP_ALREADY_EXISTS' } },
  },
  list: { valid: none },
  get: { valid: ofApp, errors: { APP_NOT_FOUND: absent('id') }, large: ({ tenant }) => ({ id: tenant.appId }) },
  update: {
    valid: async (records) => ({ ...(await ofApp(records)), ...newApp(records) }),
    changes: newApp,
    fixed: { id: 'no uuid' },
    invalid: { name: ['', ...badNames, null] },
    errors: { APP_NOT_FOUND: absent('id'), APP_ALREADY_EXISTS: knownName },
    large: ({ tenant }, records) => ({ id: tenant.appId, ...newApp(records) }),
  },
  remove: {
    valid: ofApp,
    errors: { APP_NOT_FOUND: absent('id'), APP_IN_USE: async ({ newTenant }) => ({ id: (await newTenant()).appId }) },
  },
};
