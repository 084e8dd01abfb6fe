import type { Contract } from '../src/index.ts';
import type { ExamplesOf, InvalidValues } from './example.ts';
import { absent, badNames, byId, line, long, none, required } from './values.ts';

const ofTenant = byId((records) => records.newTenant());
const invalid: InvalidValues = {
  name: ['', ...badNames, null],
  active: ['yes', null],
  metadata: [[], 'text'],
  identityClientId: [7],
  allowedScopes: ['read', {}],
};
const lengths = { identityClientId: line };

export const tenants: ExamplesOf<Contract['tenants']> = {
  create: {
    valid: ({ tenant }) => ({ customerId: tenant.customerId, appId: tenant.appId, name: 'Harvest' }),
    optional: ({ newTaxId }) => ({
      active: false,
      metadata: { region: 'south', snake_case: { camelCase: [1, { deep_key: null }] } },
      identityClientId: newTaxId(),
      allowedScopes: ['profile:read', 'profile:write'],
    }),
    limits: () => ({ name: long(line) }),
    invalid: { ...invalid, ...required({ name: invalid['name'] ?? [], customerId: ['7'], appId: ['7'] }) },
    lengths,
    errors: {
      CUSTOMER_NOT_FOUND: absent('customerId'),
      APP_NOT_FOUND: absent('appId'),
      IDENTITY_CLIENT_ALREADY_LINKED: ({ tenant }) => ({ identityClientId: tenant.clientId }),
    },
    record: {
      generated: { id: 'id' },
      nullable: { metadata: null, identityClientId: null, allowedScopes: null },
      defaults: { active: true },
      unique: { fields: ['identityClientId'], code: 'IDENTITY_CLIENT_ALREADY_LINKED' },
      absentAfterPost: ['identityClientId'],
    },
  },
  list: { valid: none },
  get: {
    valid: ({ tenant }) => ({ id: tenant.id }),
    errors: { TENANT_NOT_FOUND: absent('id') },
    large: ({ tenant }) => ({ id: tenant.id }),
  },
  update: {
    valid: async (records) => ({ ...(await ofTenant(records)), metadata: { region: 'south' } }),
    changes: ({ newTaxId }) => ({
      name: 'Other',
      active: false,
      metadata: { other: true },
      identityClientId: newTaxId(),
      allowedScopes: ['other'],
    }),
    fixed: { id: 'no uuid', customerId: 'no uuid', appId: 'no uuid' },
    invalid,
    lengths,
    errors: {
      TENANT_NOT_FOUND: absent('id'),
      IDENTITY_CLIENT_ALREADY_LINKED: ({ tenant }) => ({ identityClientId: tenant.clientId }),
    },
    large: ({ tenant }) => ({ id: tenant.id, metadata: { region: 'south' } }),
  },
  remove: { valid: ofTenant, errors: { TENANT_NOT_FOUND: absent('id') }, large: ({ tenant }) => ({ id: tenant.id }) },
  organizations: {
    valid: ({ tenant }) => ({ tenantId: tenant.id }),
    // Rules: TENANTS-10
    returns: async ({ newTenant, organization }) => {
      const tenant = await newTenant();
      const { id, federalTaxId } = await organization(tenant);
      return [{ input: { tenantId: tenant.id }, output: { data: [{ id, federalTaxId, alias: null, active: true, listed: true }] } }];
    },
    // Rules: TENANTS-11
    errors: { TENANT_NOT_FOUND: absent('tenantId') },
    large: ({ tenant }) => ({ tenantId: tenant.id }),
  },
};
