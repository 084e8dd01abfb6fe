import type { Contract } from '../src/index.ts';
import type { ExamplesOf, LargeRecords, Records } from './example.ts';
import { absent, absentId, required } from './values.ts';

const newMembership = async ({ newTenant, person }: Records) => {
  const { id: tenantId } = await newTenant();
  return { userId: (await person({ [tenantId]: 'viewer' })).id, tenantId };
};
const largeMembership = ({ person, tenant }: LargeRecords) => ({ userId: person.id, tenantId: tenant.id });

export const memberships: ExamplesOf<Contract['memberships']> = {
  list: {
    valid: async (records) => ({ userId: (await newMembership(records)).userId }),
    errors: { USER_NOT_FOUND: absent('userId') },
    large: ({ person }) => ({ userId: person.id }),
  },
  assign: {
    valid: async ({ person, newTenant }) => ({ userId: (await person()).id, tenantId: (await newTenant()).id, persona: 'viewer' }),
    invalid: required({ tenantId: ['7'], persona: [null, 'global'] }),
    errors: { USER_NOT_FOUND: absent('userId'), TENANT_NOT_FOUND: absent('tenantId') },
    large: (records) => ({ ...largeMembership(records), persona: 'viewer' }),
  },
  remove: { valid: newMembership, errors: { USER_NOT_FOUND: absent('userId') }, large: largeMembership },
  users: {
    valid: async (records) => ({ tenantId: (await newMembership(records)).tenantId }),
    errors: { TENANT_NOT_FOUND: absent('tenantId') },
    large: ({ tenant }) => ({ tenantId: tenant.id }),
  },
};

const errors = { USER_NOT_FOUND: absent('userId'), USER_TENANT_NOT_FOUND: absent('tenantId') };

export const organizationScopes: ExamplesOf<Contract['organizationScopes']> = {
  get: { valid: newMembership, errors, large: largeMembership },
  set: {
    valid: async (records) => ({ ...(await newMembership(records)), scope: 'RESTRICTED', organizationIds: [] }),
    variants: async ({ tenant, organization, person }) => {
      const membership = { userId: (await person({ [tenant.id]: 'viewer' })).id, tenantId: tenant.id };
      const { id } = await organization(tenant);
      return [
        { ...membership, scope: 'ALL' },
        { ...membership, scope: 'RESTRICTED', organizationIds: [id] },
      ];
    },
    // The two fields change together.
    changes: () => ({ scope: 'RESTRICTED', organizationIds: [] }),
    together: ['scope', 'organizationIds'],
    invalid: {
      scope: [undefined, 'NONE', null],
      organizationIds: [undefined, null, absentId],
      'organizationIds.0': [7],
    },
    errors: { ...errors, ORGANIZATION_NOT_LINKED_TO_TENANT: () => ({ organizationIds: [absentId] }) },
    large: (records) => ({ ...largeMembership(records), scope: 'RESTRICTED', organizationIds: records.organizationIds }),
  },
};
