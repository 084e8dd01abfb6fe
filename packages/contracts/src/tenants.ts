import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike, shared } from './descriptions.ts';
import { defineEndpoint, maxMetadataBodyBytes } from './endpoint.ts';
import { exampleIds } from './examples.ts';
import { JsonObject, Metadata, Name, ShortText, Uuid } from './fields.ts';
import { defineList, equals, nameContains } from './list.ts';
import { Organization } from './organizations.ts';

const example = {
  id: exampleIds.tenant,
  customerId: exampleIds.customer,
  appId: exampleIds.app,
  name: 'Granary for Central do Vale',
  active: true,
  metadata: { region: 'south' },
  allowedScopes: ['granary:read'],
};

export const Tenant = z
  .object({
    id: Uuid.describe('Id of the tenant, set by the service. The value of `X-Tenant-Id`.'),
    customerId: Uuid.describe('Id of the customer that the app runs for. Cannot be changed.'),
    appId: Uuid.describe('Id of the app that runs for the customer. Cannot be changed.'),
    name: z.string().describe('Display name, 1 to 255 characters in a request. Not unique.'),
    active: z.boolean().describe('Whether users and applications can work in the tenant. If false, they get 403 there.'),
    metadata: JsonObject.nullable().describe(shared.metadata),
    identityClientId: z
      .string()
      .nullable()
      .describe(
        "Client id of the tenant's application at the identity provider. A service token belongs to the tenant whose `identityClientId` equals its `azp`. Unique. Null if no application acts for the tenant.",
      ),
    allowedScopes: z
      .array(z.string())
      .nullable()
      .describe(
        "Scopes of the tenant's application in calls between apps, at most 1,000. Informational: the service stores them and does not act on them. Null if none were stored.",
      ),
  })
  .meta({
    id: 'Tenant',
    description: 'An app that runs for a customer. Users and applications work in a tenant, with the organizations linked to it.',
    example: { ...example, identityClientId: 'granary' },
  });

const tenantOrganization = {
  id: exampleIds.organization,
  name: 'Cooperativa Vale Verde',
  alias: 'Vale Verde',
  federalTaxId: '34567890000130',
  active: true,
  listed: true,
};
const TenantOrganization = Organization.pick({ id: true, name: true, alias: true, federalTaxId: true, active: true, listed: true }).meta({
  id: 'TenantOrganization',
  description: 'The main fields of an organization that is linked to the tenant.',
  example: tenantOrganization,
});
const TenantOrganizationList = z
  .object({ data: z.array(TenantOrganization).describe("All organizations of the tenant that are in the caller's scope, not paginated.") })
  .meta({
    id: 'TenantOrganizationList',
    description: 'Organizations of a tenant, without pages.',
    example: { data: [tenantOrganization] },
  });

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
    description: 'Fields of a new tenant.',
    example: { customerId: example.customerId, appId: example.appId, name: example.name, identityClientId: 'granary' },
  });

const TenantUpdate = z
  .object(editable)
  .partial()
  .meta({
    id: 'TenantUpdate',
    description: changesOf('a tenant'),
    example: { metadata: example.metadata, allowedScopes: example.allowedScopes },
  });

const id = Tenant.shape.id.meta({ example: exampleIds.tenant });

export const tenants = {
  create: defineEndpoint('POST /api/tenants', access.user('tenants', 'create', 'resource:tenants'), {
    summary: 'Create a tenant',
    description: 'Creates an instance of an app for a customer. The tenant has no members and no organizations at first.',
    body: TenantCreate,
    maxBodyBytes: maxMetadataBodyBytes,
    output: Tenant.omit({ identityClientId: true }).meta({
      id: 'TenantCreated',
      description: 'A new tenant: a Tenant without `identityClientId`.',
      example: { ...example, metadata: null, allowedScopes: null },
    }),
    success: 201,
    versioned: 'tenant',
    events: ['tenant.created'],
    errors: ['CUSTOMER_NOT_FOUND', 'APP_NOT_FOUND', 'IDENTITY_CLIENT_ALREADY_LINKED'],
  }),
  list: defineEndpoint('GET /api/tenants', access.user('tenants', 'read', 'resource:tenants'), {
    summary: 'List tenants',
    description: 'Newest first, with inactive tenants. To list the tenants of the caller, use `/api/me/tenants`.',
    ...defineList('tenant', Tenant, {
      page: 'TenantPage',
      sortable: ['id', 'customerId', 'appId', 'name', 'active', 'identityClientId'],
      filters: {
        name: nameContains('tenants'),
        customerId: equals(Uuid, 'Only tenants of this customer.'),
        appId: equals(Uuid, 'Only tenants of this app.'),
        active: equals(z.boolean(), 'Only active tenants (`true`), or only inactive ones (`false`).'),
      },
    }),
  }),
  get: defineEndpoint('GET /api/tenants/{id}', access.user('tenants', 'read', 'resource:tenants_id', { ownTenant: 'id' }), {
    summary: 'Get a tenant',
    description: 'With a persona alone, a user can get the active tenant only. Another tenant is 404.',
    params: { id },
    output: Tenant,
    success: 200,
    versioned: 'tenant',
    errors: ['TENANT_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/tenants/{id}', access.user('tenants', 'update', 'resource:tenants_id'), {
    summary: 'Update a tenant',
    description: 'Deactivating a tenant takes effect on the next request of its users and its application.',
    params: { id },
    body: TenantUpdate,
    maxBodyBytes: maxMetadataBodyBytes,
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
    params: { id },
    success: 204,
    versioned: 'tenant',
    events: ['tenant.deleted'],
    errors: ['TENANT_NOT_FOUND'],
  }),
  organizations: defineEndpoint(
    'GET /api/tenants/{tenantId}/organizations',
    access.user('tenants', 'read', 'resource:tenants_id', { ownTenant: 'tenantId' }),
    {
      summary: 'List organizations of a tenant',
      description:
        "Returns the organizations in the caller's scope in one list, without pages. With a persona alone, a user can list those of the active tenant only. Another tenant is 404.",
      params: { tenantId: id },
      output: TenantOrganizationList,
      success: 200,
      errors: ['TENANT_NOT_FOUND'],
    },
  ),
};
