import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { JsonObject, Metadata, Name, pageOf, paging, ShortText, Uuid } from './fields.ts';
import { Organization } from './organizations.ts';

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
    id: Uuid.describe('Id of the tenant.'),
    customerId: Uuid.describe('Customer that the app runs for. Cannot be changed.'),
    appId: Uuid.describe('App that runs for the customer. Cannot be changed.'),
    name: z.string().describe('Name of the tenant.'),
    active: z.boolean().describe('Whether the tenant is active. Neither users nor applications can work in an inactive tenant.'),
    metadata: JsonObject.nullable().describe('JSON object of your own. At most 64 KiB of JSON text in a request.'),
    identityClientId: z
      .string()
      .nullable()
      .describe('Client id at the identity provider. A service token belongs to the tenant whose `identityClientId` is its `azp`. Unique.'),
    allowedScopes: z.array(z.string()).nullable().describe('Scopes of app-to-app calls.'),
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
  .object({ data: z.array(TenantOrganization).describe("All organizations of the tenant that are in the caller's scope.") })
  .meta({ id: 'TenantOrganizationList', example: { data: [tenantOrganization] } });

const editable = describeLike(Tenant, {
  name: Name,
  active: z.boolean(),
  metadata: Metadata.nullable(),
  identityClientId: ShortText.min(1).nullable(),
  // Limited, since the cache holds them for each calling application.
  allowedScopes: z.array(ShortText).max(1000).nullable(),
});

const TenantCreate = z
  .object({ customerId: Tenant.shape.customerId, appId: Tenant.shape.appId })
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
    summary: 'Create a tenant',
    description: 'A tenant is an instance of an app for a customer.',
    body: TenantCreate,
    output: Tenant.omit({ identityClientId: true }).meta({ id: 'TenantCreated', example }),
    success: 201,
    versioned: 'tenant',
    events: ['tenant.created'],
    errors: ['CUSTOMER_NOT_FOUND', 'APP_NOT_FOUND', 'IDENTITY_CLIENT_ALREADY_LINKED'],
  }),
  list: defineEndpoint('GET /api/tenants', access.user('tenants', 'read', 'resource:tenants'), {
    summary: 'List tenants',
    description: 'Newest first.',
    query: paging,
    output: pageOf(Tenant, 'TenantPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/tenants/{id}', access.user('tenants', 'read', 'resource:tenants_id', { ownTenant: 'id' }), {
    summary: 'Get a tenant',
    description: 'With a persona alone, a user can get the active tenant only. Another tenant is 404.',
    params: { id: Tenant.shape.id },
    output: Tenant,
    success: 200,
    versioned: 'tenant',
    errors: ['TENANT_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/tenants/{id}', access.user('tenants', 'update', 'resource:tenants_id'), {
    summary: 'Update a tenant',
    params: { id: Tenant.shape.id },
    body: TenantUpdate,
    output: Tenant,
    success: 200,
    versioned: 'tenant',
    events: ['tenant.updated'],
    errors: ['TENANT_NOT_FOUND', 'IDENTITY_CLIENT_ALREADY_LINKED'],
  }),
  remove: defineEndpoint('DELETE /api/tenants/{id}', access.user('tenants', 'delete', 'resource:tenants_id'), {
    summary: 'Delete a tenant',
    description:
      'Deletes the tenant with its memberships, organization scopes and organization links. Organizations and files are kept. Only Global users can then see its files that belong to no organization.',
    params: { id: Tenant.shape.id },
    success: 204,
    versioned: 'tenant',
    events: ['tenant.deleted'],
    errors: ['TENANT_NOT_FOUND'],
  }),
  organizations: defineEndpoint(
    'GET /api/tenants/{tenantId}/organizations',
    access.user('tenants', 'read', 'resource:tenants_id', { ownTenant: 'tenantId' }),
    {
      summary: "List a tenant's organizations",
      description:
        "Returns the organizations in the caller's scope in one list, without pages. With a persona alone, a user can list those of the active tenant only. Another tenant is 404.",
      params: { tenantId: Tenant.shape.id },
      output: TenantOrganizationList,
      success: 200,
      errors: ['TENANT_NOT_FOUND'],
    },
  ),
};
