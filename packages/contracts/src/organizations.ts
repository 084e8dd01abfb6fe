import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  FederalTaxId,
  JsonObject,
  Metadata,
  Name,
  pageOf,
  paging,
  ShortText,
  TextFilter,
  Timestamp,
  timestamps,
  UrlText,
  Uuid,
} from './fields.ts';
import { AddressFields } from './organization-addresses.ts';
import { ContactFields } from './organization-contacts.ts';

export const Organization = z
  .object({
    id: Uuid.describe('Id of the organization.'),
    name: z.string().describe('Legal name.'),
    alias: z.string().nullable().describe('Trade name.'),
    federalTaxId: z.string().describe('Federal tax id (CNPJ or CPF), 11 to 14 characters. Unique; cannot be changed.'),
    stateTaxId: z.string().nullable().describe('State tax id (inscrição estadual).'),
    municipalTaxId: z.string().nullable().describe('Municipal tax id (inscrição municipal).'),
    logoPath: z.string().nullable().describe('URL or path of the logo.'),
    active: z.boolean().describe('Whether the organization is active. Informational: the service does not act on it.'),
    listed: z.boolean().describe('Whether the organization may be listed publicly. Informational: the service does not act on it.'),
    metadata: JsonObject.nullable().describe('JSON object of your own. At most 64 KiB of JSON text in a request.'),
    organizationAddressId: Uuid.nullable().describe('Current address. Null when it was deleted.'),
    ...timestamps,
    deletedAt: Timestamp.nullable().describe(
      'When the organization was deleted. Always null in responses, since deleted organizations are not returned.',
    ),
  })
  .meta({
    id: 'Organization',
    example: {
      id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
      name: 'Cooperativa Vale Verde',
      alias: 'Vale Verde',
      federalTaxId: '11222333000181',
      stateTaxId: null,
      municipalTaxId: null,
      logoPath: null,
      active: true,
      listed: true,
      metadata: null,
      organizationAddressId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e60',
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
      deletedAt: null,
    },
  });

const editable = describeLike(Organization, {
  name: Name,
  alias: ShortText.nullable(),
  stateTaxId: ShortText.nullable(),
  municipalTaxId: ShortText.nullable(),
  logoPath: UrlText.nullable(),
  active: z.boolean(),
  listed: z.boolean(),
  metadata: Metadata.nullable(),
});

const OrganizationCreate = z
  .object({
    ...describeLike(Organization, { federalTaxId: FederalTaxId }),
    address: AddressFields.meta({ id: 'OrganizationAddressInput' }).describe('Current address of the organization.'),
  })
  .extend(z.object(editable).partial().shape)
  .extend({
    name: editable.name,
    active: editable.active.default(true),
    listed: editable.listed.default(true),
    contacts: z
      .array(ContactFields.meta({ id: 'OrganizationContactInput' }))
      .max(1000)
      .refine((contacts) => contacts.filter(({ isPrimary }) => isPrimary).length <= 1, 'At most one contact may have isPrimary: true')
      .optional()
      .describe('Contacts of the organization, at most 1,000.'),
  })
  .meta({
    id: 'OrganizationCreate',
    example: {
      name: 'Cooperativa Vale Verde',
      federalTaxId: '11222333000181',
      address: { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3550308, stateCode: 35 },
      contacts: [{ type: 'EMAIL', value: 'contato@example.com', isPrimary: true }],
    },
  });

const OrganizationUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'OrganizationUpdate', example: { listed: false } });

const params = { id: Organization.shape.id };
const linkParams = { organizationId: Organization.shape.id };

const listing = {
  query: {
    ...paging,
    organizationId: Uuid.optional().describe("Only this organization. It must be in the caller's scope."),
    name: TextFilter.describe('Only organizations whose name contains this text. Ignores case and accents.'),
    active: z.boolean().optional().describe('Only organizations with this `active`.'),
    listed: z.boolean().optional().describe('Only organizations with this `listed`.'),
  },
  output: pageOf(Organization, 'OrganizationPage'),
  success: 200,
} as const;

const creation = {
  body: OrganizationCreate,
  output: Organization,
  success: 201,
  events: ['organization.created'],
  versioned: 'organization',
  errors: ['ORGANIZATION_ALREADY_EXISTS', 'INVALID_STATE', 'INVALID_CITY', 'CITY_STATE_MISMATCH'],
} as const;

export const organizations = {
  create: defineEndpoint('POST /api/organizations', access.user('organizations', 'create', 'resource:organizations'), {
    summary: 'Create an organization',
    description:
      'Creates the organization with its current address and its contacts in one transaction. With an active tenant, links it to that tenant.',
    ...creation,
  }),
  list: defineEndpoint('GET /api/organizations', access.user('organizations', 'read', 'resource:organizations'), {
    summary: 'List organizations',
    description: "Newest first. Contains the organizations in the caller's scope.",
    ...listing,
    errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
  }),
  get: defineEndpoint('GET /api/organizations/{id}', access.user('organizations', 'read', 'resource:organizations_id'), {
    summary: 'Get an organization',
    params,
    output: Organization,
    success: 200,
    versioned: 'organization',
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/organizations/{id}', access.user('organizations', 'update', 'resource:organizations_id'), {
    summary: 'Update an organization',
    params,
    body: OrganizationUpdate,
    output: Organization,
    success: 200,
    versioned: 'organization',
    events: ['organization.updated'],
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  remove: defineEndpoint('DELETE /api/organizations/{id}', access.user('organizations', 'delete', 'resource:organizations_id'), {
    summary: 'Delete an organization',
    description:
      'Soft-deletes the organization. Its addresses, contacts, links and documents are no longer visible. If other tenants are linked, only a Global user without an active tenant can delete it.',
    params,
    success: 204,
    versioned: 'organization',
    events: ['organization.deleted'],
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_IN_USE'],
  }),
};

const OrganizationLink = z.object({ ...linkParams, tenantId: Uuid.describe('Id of the tenant.') }).meta({
  id: 'OrganizationLink',
  example: { organizationId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', tenantId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e62' },
});

export const serviceOrganizations = {
  list: defineEndpoint('GET /service/organizations', access.service, {
    summary: 'List linked organizations',
    description: "Newest first. Contains the organizations linked to the token's tenant.",
    ...listing,
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
  create: defineEndpoint('POST /service/organizations', access.service, {
    summary: 'Create a linked organization',
    description: "Creates the organization with its current address and its contacts, linked to the token's tenant, in one transaction.",
    ...creation,
  }),
  link: defineEndpoint('POST /service/organizations/{organizationId}/tenants', access.service, {
    summary: 'Link an organization to your tenant',
    description: 'The tenant is that of the token. Also returns 201 if the link exists.',
    params: linkParams,
    output: OrganizationLink,
    success: 201,
    events: ['organizationLink.created'],
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  unlink: defineEndpoint('DELETE /service/organizations/{organizationId}/tenants', access.service, {
    summary: 'Unlink an organization from your tenant',
    description:
      'The tenant is that of the token. Grants on the organization in this tenant are deleted with the link. Also returns 204 if there is no link.',
    params: linkParams,
    success: 204,
    events: ['organizationLink.deleted'],
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  findByFederalTaxId: defineEndpoint('GET /service/organizations/federal-tax-id/{federalTaxId}', access.service, {
    summary: 'Find an organization by federal tax id',
    description: "Searches all organizations, and links the organization found to the token's tenant.",
    params: describeLike(Organization, { federalTaxId: FederalTaxId }),
    output: Organization,
    success: 200,
    versioned: 'organization',
    events: ['organizationLink.created'],
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
};
