import { z } from 'zod';
import { access } from './access.ts';
import { FederalTaxId, FreeMap, Line, Locator, Metadata, Name, pageOf, PartOfLine, paging, Timestamp, Uuid } from './fields.ts';
import { AddressFields } from './organization-addresses.ts';
import { ContactFields } from './organization-contacts.ts';
import { defineEndpoint } from './endpoint.ts';

export const Organization = z
  .object({
    id: Uuid,
    name: z.string(),
    alias: z.string().nullable(),
    federalTaxId: z.string(),
    stateTaxId: z.string().nullable(),
    municipalTaxId: z.string().nullable(),
    logoPath: z.string().nullable(),
    active: z.boolean(),
    listed: z.boolean().describe('Publicly visible'),
    metadata: FreeMap.nullable(),
    organizationAddressId: Uuid.nullable().describe('The current address'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp.nullable(),
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

const editable = {
  name: Name,
  alias: Line.nullable(),
  stateTaxId: Line.nullable(),
  municipalTaxId: Line.nullable(),
  logoPath: Locator.nullable(),
  active: z.boolean(),
  listed: z.boolean(),
  metadata: Metadata.nullable(),
};

const OrganizationCreate = z
  .object({ federalTaxId: FederalTaxId, address: AddressFields.meta({ id: 'OrganizationAddressInput' }) })
  .extend(z.object(editable).partial().shape)
  .extend({
    name: editable.name,
    active: editable.active.default(true),
    listed: editable.listed.default(true),
    contacts: z
      .array(ContactFields.meta({ id: 'OrganizationContactInput' }))
      .max(1000)
      .refine((contacts) => contacts.filter(({ isPrimary }) => isPrimary).length <= 1, 'At most one contact is primary')
      .optional(),
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

const page = {
  query: {
    ...paging,
    organizationId: Uuid.optional().describe('This organization alone; outside the scope it is refused'),
    name: PartOfLine.describe('Contained in the name, without regard to case and accents'),
    active: z.boolean().optional(),
    listed: z.boolean().optional(),
  },
  output: pageOf(Organization, 'OrganizationPage'),
  success: 200,
} as const;

const creation = {
  body: OrganizationCreate,
  output: Organization,
  success: 201,
  errors: ['ORGANIZATION_ALREADY_EXISTS', 'INVALID_STATE', 'INVALID_CITY', 'CITY_STATE_MISMATCH'],
} as const;

export const organizations = {
  create: defineEndpoint('POST /api/organizations', access.user('organizations', 'create', 'resource:organizations'), {
    summary: 'Create an organization with its address and contacts, all or nothing',
    ...creation,
  }),
  list: defineEndpoint('GET /api/organizations', access.user('organizations', 'read', 'resource:organizations'), {
    summary: 'List the organizations in scope, newest first',
    ...page,
    errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
  }),
  get: defineEndpoint('GET /api/organizations/{id}', access.user('organizations', 'read', 'resource:organizations_id'), {
    summary: 'Get an organization in scope',
    params: { id: Uuid },
    output: Organization,
    success: 200,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/organizations/{id}', access.user('organizations', 'update', 'resource:organizations_id'), {
    summary: 'Change the given fields of an organization in scope',
    params: { id: Uuid },
    body: OrganizationUpdate,
    output: Organization,
    success: 200,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  remove: defineEndpoint('DELETE /api/organizations/{id}', access.user('organizations', 'delete', 'resource:organizations_id'), {
    summary: 'Delete an organization (soft); addresses, contacts, links and documents go out of sight with it',
    params: { id: Uuid },
    success: 204,
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_IN_USE'],
  }),
};

const OrganizationLink = z.object({ organizationId: Uuid, tenantId: Uuid }).meta({
  id: 'OrganizationLink',
  example: { organizationId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', tenantId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e62' },
});

export const serviceOrganizations = {
  list: defineEndpoint('GET /service/organizations', access.service, {
    summary: "List the organizations linked to the token's tenant, newest first",
    ...page,
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
  create: defineEndpoint('POST /service/organizations', access.service, {
    summary: "Create an organization, linked to the token's tenant",
    ...creation,
  }),
  link: defineEndpoint('POST /service/organizations/{organizationId}/tenants', access.service, {
    summary: "Link an organization to the token's tenant; idempotent",
    params: { organizationId: Uuid },
    output: OrganizationLink,
    success: 201,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  unlink: defineEndpoint('DELETE /service/organizations/{organizationId}/tenants', access.service, {
    summary: "End the link between an organization and the token's tenant; idempotent",
    params: { organizationId: Uuid },
    success: 204,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  findByFederalTaxId: defineEndpoint('GET /service/organizations/federal-tax-id/{federalTaxId}', access.service, {
    summary: "Look an organization up in the whole base and link it to the token's tenant",
    params: { federalTaxId: FederalTaxId },
    output: Organization,
    success: 200,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
};
