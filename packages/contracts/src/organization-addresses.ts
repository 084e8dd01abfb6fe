import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { pageOf, paging, ShortText, Timestamp, Uuid } from './fields.ts';

export const OrganizationAddress = z
  .object({
    id: Uuid.describe('Id of the address.'),
    organizationId: Uuid.describe('Organization that the address belongs to.'),
    zipCode: z.string().describe('Postal code (CEP), 8 characters without a hyphen.'),
    street: z.string().describe('Street.'),
    number: z.string().describe('Number in the street.'),
    complement: z.string().nullable().describe('Suite, floor or other detail.'),
    district: z.string().nullable().describe('District of the city.'),
    cityCode: z.int32().describe('IBGE code of the city. The city must belong to the state.'),
    stateCode: z.int32().describe('IBGE code of the state.'),
    country: z.string().describe('Country. Default: Brasil, also for null in a request.'),
    latitude: z.number().nullable().describe('Latitude in degrees.'),
    longitude: z.number().nullable().describe('Longitude in degrees.'),
    validFrom: Timestamp.describe('Start of the period in which the address is valid.'),
    validTo: Timestamp.nullable().describe('End of the period in which the address was valid. Null for the current address.'),
  })
  .meta({
    id: 'OrganizationAddress',
    example: {
      id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e60',
      organizationId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
      zipCode: '01001000',
      street: 'Praça da Sé',
      number: '1',
      complement: null,
      district: 'Sé',
      cityCode: 3550308,
      stateCode: 35,
      country: 'Brasil',
      latitude: -23.5503,
      longitude: -46.6339,
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

const OrganizationAddressCreate = AddressFields.extend({ organizationId: OrganizationAddress.shape.organizationId }).meta({
  id: 'OrganizationAddressCreate',
  example: {
    organizationId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
    zipCode: '01001000',
    street: 'Praça da Sé',
    number: '1',
    cityCode: 3550308,
    stateCode: 35,
  },
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
  .meta({ id: 'OrganizationAddressUpdate', example: { complement: 'Sala 12' } });

const params = { id: OrganizationAddress.shape.id };

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
      query: {
        ...paging,
        organizationId: Uuid.optional().describe("Only addresses of this organization. It must be in the caller's scope."),
        cityCode: z.int32().optional().describe('Only addresses in this city.'),
        stateCode: z.int32().optional().describe('Only addresses in this state.'),
        currentOnly: z.boolean().optional().describe('With `true`, only current addresses.'),
      },
      output: pageOf(OrganizationAddress, 'OrganizationAddressPage'),
      success: 200,
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
    },
  ),
  get: defineEndpoint(
    'GET /api/organization-addresses/{id}',
    access.user('organization-addresses', 'read', 'resource:organization-addresses_id'),
    {
      summary: 'Get an organization address',
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
      description: 'Only the current address can be changed.',
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
