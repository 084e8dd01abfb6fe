import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike, shared } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { exportDescription, exportOf } from './export.ts';
import { exampleAddress, exampleIds } from './examples.ts';
import { ShortText, Timestamp, Uuid } from './fields.ts';
import { defineList, equals, own } from './list.ts';

export const OrganizationAddress = z
  .object({
    id: Uuid.describe('Id of the address, set by the service.'),
    organizationId: Uuid.describe('Id of the organization. Cannot be changed.'),
    zipCode: z.string().describe('Postal code (CEP): 8 digits without a hyphen. Only the length is checked.'),
    street: z.string().describe('Street name with its type, such as Avenida or Praça.'),
    number: z.string().describe('House number. A text, since it may be `12A` or `s/n`.'),
    complement: z.string().nullable().describe('Suite, floor or other detail. Null if there is none.'),
    district: z.string().nullable().describe('District (bairro) of the city, at most 50 characters in a request. Null if unknown.'),
    cityCode: z.int32().describe('IBGE code of the city, 7 digits: the `ibgeCode` of a City. The city must belong to the state.'),
    stateCode: z.int32().describe('IBGE code of the state, 2 digits: the `stateCode` of a State.'),
    country: z
      .string()
      .describe(
        'Name of the country, at most 50 characters in a request. Becomes `Brasil` if a request sends null, or creates an address without it.',
      ),
    latitude: z.number().nullable().describe(`${shared.latitude} Null if unknown.`),
    longitude: z.number().nullable().describe(`${shared.longitude} Null if unknown.`),
    validFrom: Timestamp.describe('Start of the period in which the address is valid: the time of its creation. Set by the service.'),
    validTo: Timestamp.nullable().describe(
      'End of that period, exclusive: the `validFrom` of the next address. Null for the current address. Set by the service.',
    ),
  })
  .meta({
    id: 'OrganizationAddress',
    description: 'An address of an organization and the period in which it is valid. Closed addresses remain as the history.',
    example: {
      id: exampleIds.address,
      organizationId: exampleIds.organization,
      ...exampleAddress,
      complement: null,
      country: 'Brasil',
      validFrom: '2026-01-15T12:00:00.000Z',
      validTo: null,
    },
  });

const defaultCountry = 'Brasil';
const Country = z
  .string()
  .max(50)
  .nullish()
  .transform((name) => name ?? defaultCountry);

const required = describeLike(OrganizationAddress, {
  zipCode: z.string().length(8),
  street: ShortText.min(1),
  number: ShortText.min(1),
  cityCode: z.int32(),
  stateCode: z.int32(),
});
const optional = describeLike(OrganizationAddress, {
  complement: ShortText.nullish(),
  district: z.string().max(50).nullish(),
  latitude: z.number().nullish(),
  longitude: z.number().nullish(),
});

/** The address in the request that creates an organization. */
export const AddressFields = z.object({ ...required, ...optional, ...describeLike(OrganizationAddress, { country: Country }) });

/** The current address in the export of an organization, with the fields of its creation. */
export const ExportedAddress = OrganizationAddress.omit({ id: true, organizationId: true, validFrom: true, validTo: true }).meta({
  id: 'ExportedAddress',
  description: 'The current address of an exported organization, with the fields that create it.',
  example: { ...exampleAddress, complement: null, country: 'Brasil' },
});

const OrganizationAddressCreate = AddressFields.extend({ organizationId: OrganizationAddress.shape.organizationId }).meta({
  id: 'OrganizationAddressCreate',
  description: 'Fields of a new current address.',
  example: { organizationId: exampleIds.organization, ...exampleAddress },
});

const OrganizationAddressUpdate = z
  .object({
    ...z.object(required).partial().shape,
    ...optional,
    ...describeLike(OrganizationAddress, {
      country: z
        .string()
        .max(50)
        .nullable()
        .transform((name) => name ?? defaultCountry)
        .optional(),
    }),
  })
  .meta({
    id: 'OrganizationAddressUpdate',
    description: changesOf('the current address'),
    example: { complement: 'Sala 12', district: null },
  });

const params = { id: OrganizationAddress.shape.id.meta({ example: exampleIds.address }) };

const listing = defineList('organizationAddress', OrganizationAddress, {
  page: 'OrganizationAddressPage',
  sortable: [
    'id',
    'organizationId',
    'zipCode',
    'street',
    'number',
    'complement',
    'district',
    'cityCode',
    'stateCode',
    'country',
    'latitude',
    'longitude',
    'validFrom',
    'validTo',
  ],
  filters: {
    organizationId: equals(Uuid, "Only addresses of this organization. It must be in the caller's scope."),
    cityCode: equals(z.int32(), 'Only addresses in the city with this IBGE code.'),
    stateCode: equals(z.int32(), 'Only addresses in the state with this IBGE code.'),
    currentOnly: own(z.boolean(), 'With `true`, only current addresses. With `false` or without it, closed ones too.'),
  },
});

export const organizationAddresses = {
  create: defineEndpoint(
    'POST /api/organization-addresses',
    access.user('organization-addresses', 'create', 'resource:organization-addresses'),
    {
      summary: 'Create an organization address',
      description:
        'The new address becomes the current one. The previous one is closed: its `validTo` becomes the `validFrom` of the new one.',
      body: OrganizationAddressCreate,
      output: OrganizationAddress,
      success: 201,
      versioned: 'organizationAddress',
      events: ['organizationAddress.created'],
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND', 'STATE_NOT_FOUND', 'CITY_NOT_FOUND', 'CITY_STATE_MISMATCH'],
    },
  ),
  list: defineEndpoint(
    'GET /api/organization-addresses',
    access.user('organization-addresses', 'read', 'resource:organization-addresses'),
    {
      summary: 'List organization addresses',
      description: "Newest first. Contains the addresses of the organizations in the caller's scope.",
      ...listing,
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
    },
  ),
  export: defineEndpoint(
    'GET /api/organization-addresses/export',
    access.user('organization-addresses', 'read', 'resource:organization-addresses'),
    {
      summary: 'Export organization addresses',
      description: exportDescription,
      ...exportOf(listing, OrganizationAddress),
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
    },
  ),
  get: defineEndpoint(
    'GET /api/organization-addresses/{id}',
    access.user('organization-addresses', 'read', 'resource:organization-addresses_id'),
    {
      summary: 'Get an organization address',
      description: "Returns a current or a closed address. One outside the caller's scope is 404.",
      params,
      output: OrganizationAddress,
      success: 200,
      versioned: 'organizationAddress',
      errors: ['ORGANIZATION_ADDRESS_NOT_FOUND'],
    },
  ),
  update: defineEndpoint(
    'PUT /api/organization-addresses/{id}',
    access.user('organization-addresses', 'update', 'resource:organization-addresses_id'),
    {
      summary: 'Update an organization address',
      description: 'Corrects the current address without a new period. A closed address cannot be changed.',
      params,
      body: OrganizationAddressUpdate,
      output: OrganizationAddress,
      success: 200,
      versioned: 'organizationAddress',
      events: ['organizationAddress.updated'],
      errors: [
        'ORGANIZATION_ADDRESS_NOT_FOUND',
        'ORGANIZATION_ADDRESS_NOT_CURRENT',
        'STATE_NOT_FOUND',
        'CITY_NOT_FOUND',
        'CITY_STATE_MISMATCH',
      ],
    },
  ),
  remove: defineEndpoint(
    'DELETE /api/organization-addresses/{id}',
    access.user('organization-addresses', 'delete', 'resource:organization-addresses_id'),
    {
      summary: 'Delete an organization address',
      description: 'After the current address is deleted, the organization has none. The periods of its other addresses are not changed.',
      params,
      success: 204,
      versioned: 'organizationAddress',
      events: ['organizationAddress.deleted'],
      errors: ['ORGANIZATION_ADDRESS_NOT_FOUND'],
    },
  ),
};
