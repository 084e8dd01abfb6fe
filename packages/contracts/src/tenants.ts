import { z } from 'zod';
import { access } from './access.ts';
import { FreeMap, Line, Metadata, Name, pageOf, paging, Uuid } from './fields.ts';
import { Organization } from './organizations.ts';
import { defineEndpoint } from './endpoint.ts';

const example = {
  id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
  customerId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e60',
  appId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e61',
  name: 'Harvest for Cooperativa Central',
  active: true,
  metadata: { region: 'south' },
  allowedScopes: null,
};

export const Tenant = z
  .object({
    id: Uuid,
    customerId: Uuid,
    appId: Uuid,
    name: z.string(),
    active: z.boolean(),
    metadata: FreeMap.nullable(),
    identityClientId: z.string().nullable().describe("Client at the identity provider: a service token's azp names the tenant by it"),
    allowedScopes: z.array(z.string()).nullable().describe('App-to-app scopes'),
  })
  .meta({ id: 'Tenant', example: { ...example, identityClientId: 'harvest' } });

const tenantOrganization = {
  id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e63',
  name: 'Cooperativa Vale Verde',
  alias: 'Vale Verde',
  federalTaxId: '11222333000181',
  active: true,
  listed: true,
};
const TenantOrganization = Organization.pick({ id: true, name: true, alias: true, federalTaxId: true, active: true, listed: true }).meta({
  id: 'TenantOrganization',
  example: tenantOrganization,
});
const TenantOrganizationList = z
  .object({ data: z.array(TenantOrganization) })
  .meta({ id: 'TenantOrganizationList', example: { data: [tenantOrganization] } });

const editable = {
  name: Name,
  active: z.boolean(),
  metadata: Metadata.nullable(),
  identityClientId: Line.min(1).nullable(),
  // They are remembered with each caller of the tenant.
  allowedScopes: z.array(Line).max(1000).nullable(),
};

const TenantCreate = z
  .object({ customerId: Uuid, appId: Uuid })
  .extend(z.object(editable).partial().shape)
  .extend({ name: editable.name, active: editable.active.default(true) })
  .meta({
    id: 'TenantCreate',
    example: { customerId: example.customerId, appId: example.appId, name: example.name, identityClientId: 'harvest' },
  });

const TenantUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'TenantUpdate', example: { active: false } });

export const tenants = {
  create: defineEndpoint('POST /api/tenants', access.user('tenants', 'create', 'resource:tenants'), {
    summary: 'Create a tenant: an app for a customer',
    body: TenantCreate,
    output: Tenant.omit({ identityClientId: true }).meta({ id: 'TenantCreated', example }),
    success: 201,
    errors: ['CUSTOMER_NOT_FOUND', 'APP_NOT_FOUND', 'IDENTITY_CLIENT_ALREADY_LINKED'],
  }),
  list: defineEndpoint('GET /api/tenants', access.user('tenants', 'read', 'resource:tenants'), {
    summary: 'List tenants, newest first',
    query: paging,
    output: pageOf(Tenant, 'TenantPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/tenants/{id}', access.user('tenants', 'read', 'resource:tenants_id', { ownTenant: 'id' }), {
    summary: 'Get a tenant; a member sees the active one',
    params: { id: Uuid },
    output: Tenant,
    success: 200,
    errors: ['TENANT_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/tenants/{id}', access.user('tenants', 'update', 'resource:tenants_id'), {
    summary: 'Change the given fields of a tenant',
    params: { id: Uuid },
    body: TenantUpdate,
    output: Tenant,
    success: 200,
    errors: ['TENANT_NOT_FOUND', 'IDENTITY_CLIENT_ALREADY_LINKED'],
  }),
  remove: defineEndpoint('DELETE /api/tenants/{id}', access.user('tenants', 'delete', 'resource:tenants_id'), {
    summary: 'Delete a tenant with its memberships, scopes and links',
    params: { id: Uuid },
    success: 204,
    errors: ['TENANT_NOT_FOUND'],
  }),
  organizations: defineEndpoint(
    'GET /api/tenants/{tenantId}/organizations',
    access.user('tenants', 'read', 'resource:tenants_id', { ownTenant: 'tenantId' }),
    {
      summary: "List a tenant's organizations that are in the caller's scope; a member sees those of the active tenant",
      params: { tenantId: Uuid },
      output: TenantOrganizationList,
      success: 200,
      errors: ['TENANT_NOT_FOUND'],
    },
  ),
};
