import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike, shared } from './descriptions.ts';
import { defineEndpoint, maxMetadataBodyBytes } from './endpoint.ts';
import { exportDescription, exportOf } from './export.ts';
import { exampleAddress, exampleIds, exampleTimestamps } from './examples.ts';
import { Alias, FederalTaxId, JsonObject, Metadata, Name, ShortText, Timestamp, timestamps, UrlText, Uuid } from './fields.ts';
import { defineList, equals, nameContains, own, updatedSince } from './list.ts';
import { AddressFields, ExportedAddress } from './organization-addresses.ts';
import { ContactFields } from './organization-contacts.ts';

const example = {
  id: exampleIds.organization,
  name: 'Cooperativa Vale Verde',
  alias: 'Vale Verde',
  federalTaxId: '34567890000130',
  stateTaxId: null,
  municipalTaxId: null,
  logoPath: null,
  active: true,
  listed: true,
  metadata: null,
  organizationAddressId: exampleIds.address,
  ...exampleTimestamps,
  deletedAt: null,
};

export const Organization = z
  .object({
    id: Uuid.describe('Id of the organization, set by the service.'),
    name: z.string().describe('Legal name (razão social), 1 to 255 characters in a request.'),
    alias: z.string().nullable().describe('Trade name (nome fantasia). Null if there is none.'),
    federalTaxId: z
      .string()
      .describe(
        'Federal tax id (CNPJ or CPF): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The check digits are not verified.',
      ),
    stateTaxId: z.string().nullable().describe('State tax id (inscrição estadual), unchecked. Null if there is none.'),
    municipalTaxId: z.string().nullable().describe('Municipal tax id (inscrição municipal), unchecked. Null if there is none.'),
    logoPath: z.string().nullable().describe(shared.logoPath),
    active: z.boolean().describe(shared.active('organization')),
    listed: z
      .boolean()
      .describe(
        'Whether your frontend may show the organization in public lists, independently of `active`. The service does not act on it: its own lists contain organizations that are not listed.',
      ),
    metadata: JsonObject.nullable().describe(shared.metadata),
    organizationAddressId: Uuid.nullable().describe('Id of the current address. Null after the current address was deleted.'),
    ...timestamps,
    deletedAt: Timestamp.nullable().describe(
      'When the organization was deleted. Always null in responses, since deleted organizations are not returned.',
    ),
  })
  .meta({
    id: 'Organization',
    description: 'A cooperative or another company, with its current address. Tenants are linked to the organizations that they work with.',
    example,
  });

const editable = describeLike(Organization, {
  name: Name,
  alias: Alias.nullable(),
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
    address: AddressFields.meta({
      id: 'OrganizationAddressInput',
      description: 'The address in the request that creates an organization.',
      example: exampleAddress,
    }).describe('Current address of the new organization. It is valid from now on.'),
  })
  .extend(z.object(editable).partial().shape)
  .extend({
    name: editable.name,
    active: editable.active.default(true),
    listed: editable.listed.default(true),
    contacts: z
      .array(
        ContactFields.meta({
          id: 'OrganizationContactInput',
          description: 'A contact in the request that creates an organization.',
          example: { type: 'EMAIL', value: 'contato@example.com', isPrimary: true },
        }),
      )
      .max(1000)
      .refine((contacts) => contacts.filter(({ isPrimary }) => isPrimary).length <= 1, 'At most one contact may have isPrimary: true')
      .optional()
      .describe('Contacts of the new organization, at most 1,000, of which at most one is primary.'),
  })
  .meta({
    id: 'OrganizationCreate',
    description: 'Fields of a new organization, with its address and its contacts.',
    example: {
      name: 'Cooperativa Vale Verde',
      alias: 'Vale Verde',
      federalTaxId: '34567890000130',
      address: exampleAddress,
      contacts: [{ type: 'EMAIL', value: 'contato@example.com', isPrimary: true }],
    },
  });

const OrganizationUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'OrganizationUpdate', description: changesOf('an organization'), example: { alias: null, listed: false } });

const id = Organization.shape.id.meta({ example: exampleIds.organization });
const params = { id };
const linkParams = { organizationId: id };

const listing = defineList('organization', Organization, {
  page: 'OrganizationPage',
  sortable: [
    'id',
    'name',
    'alias',
    'federalTaxId',
    'stateTaxId',
    'municipalTaxId',
    'active',
    'listed',
    'organizationAddressId',
    'createdAt',
    'updatedAt',
    'deletedAt',
  ],
  filters: {
    organizationId: equals(Uuid, "Only the organization with this id. It must be in the caller's scope.", 'id'),
    organizationAddressId: equals(Uuid, 'Only the organization whose current address has this id.'),
    federalTaxId: equals(FederalTaxId, 'Only the organization with this tax id, without punctuation.'),
    name: nameContains('organizations'),
    search: own(
      ShortText,
      'Only organizations whose name, alias or tax id contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks.',
    ),
    active: equals(z.boolean(), 'Only active organizations (`true`), or only inactive ones (`false`).'),
    listed: equals(z.boolean(), 'Only organizations that may be listed publicly (`true`), or only others (`false`).'),
    stateCode: own(z.int32(), 'Only organizations whose current address is in the state with this IBGE code.'),
    cityCode: own(z.int32(), 'Only organizations whose current address is in the city with this IBGE code.'),
    ...updatedSince,
  },
});

const OrganizationExport = Organization.extend({
  address: ExportedAddress.nullable().describe('The current address. Null if there is none.'),
}).meta({
  id: 'OrganizationExport',
  description: 'An organization in an export, with its current address.',
  example: { ...example, address: { ...exampleAddress, complement: null, country: 'Brasil' } },
});

const creation = {
  body: OrganizationCreate,
  maxBodyBytes: maxMetadataBodyBytes,
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
  export: defineEndpoint('GET /api/organizations/export', access.user('organizations', 'read', 'resource:organizations'), {
    summary: 'Export organizations',
    description: exportDescription,
    ...exportOf(listing, OrganizationExport),
    errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
  }),
  get: defineEndpoint('GET /api/organizations/{id}', access.user('organizations', 'read', 'resource:organizations_id'), {
    summary: 'Get an organization',
    description:
      "Returns the organization without its addresses and contacts, which have operations of their own. One outside the caller's scope is 404.",
    params,
    output: Organization,
    success: 200,
    versioned: 'organization',
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/organizations/{id}', access.user('organizations', 'update', 'resource:organizations_id'), {
    summary: 'Update an organization',
    description: 'Addresses and contacts have operations of their own.',
    params,
    body: OrganizationUpdate,
    maxBodyBytes: maxMetadataBodyBytes,
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

const OrganizationLink = z.object({ ...linkParams, tenantId: Uuid.describe('Id of the tenant: that of the token.') }).meta({
  id: 'OrganizationLink',
  description: 'The link between an organization and a tenant.',
  example: { organizationId: exampleIds.organization, tenantId: exampleIds.tenant },
});

export const serviceOrganizations = {
  list: defineEndpoint('GET /service/organizations', access.service, {
    summary: 'List linked organizations',
    description: "Newest first. Contains the organizations linked to the token's tenant.",
    ...listing,
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
  export: defineEndpoint('GET /service/organizations/export', access.service, {
    summary: 'Export linked organizations',
    description: exportDescription,
    ...exportOf(listing, OrganizationExport),
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
  create: defineEndpoint('POST /service/organizations', access.service, {
    summary: 'Create a linked organization',
    description: "Creates the organization with its current address and its contacts, linked to the token's tenant, in one transaction.",
    ...creation,
  }),
  link: defineEndpoint('POST /service/organizations/{organizationId}/tenants', access.service, {
    summary: 'Link an organization',
    description: "Links the organization to the token's tenant. Also returns 201 if the link exists.",
    params: linkParams,
    output: OrganizationLink,
    success: 201,
    events: ['organizationLink.created'],
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  unlink: defineEndpoint('DELETE /service/organizations/{organizationId}/tenants', access.service, {
    summary: 'Unlink an organization',
    description:
      "Deletes the link to the token's tenant, with the grants on the organization in this tenant. The organization is kept. Also returns 204 if there is no link.",
    params: linkParams,
    success: 204,
    events: ['organizationLink.deleted'],
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  findByFederalTaxId: defineEndpoint('GET /service/organizations/federal-tax-id/{federalTaxId}', access.service, {
    summary: 'Find an organization by tax id',
    description: "Searches all organizations, and links the organization found to the token's tenant.",
    params: describeLike(Organization, { federalTaxId: FederalTaxId.meta({ example: '34567890000130' }) }),
    output: Organization,
    success: 200,
    versioned: 'organization',
    events: ['organizationLink.created'],
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
};
