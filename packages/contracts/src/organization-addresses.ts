import { z } from 'zod';
import { access } from './access.ts';
import { Line, pageOf, paging, Timestamp, Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

export const OrganizationAddress = z
  .object({
    id: Uuid,
    organizationId: Uuid,
    zipCode: z.string(),
    street: z.string(),
    number: z.string(),
    complement: z.string().nullable(),
    district: z.string().nullable(),
    cityCode: z.int32().describe('IBGE code'),
    stateCode: z.int32(),
    country: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    validFrom: Timestamp,
    validTo: Timestamp.nullable().describe('null while the address is the current one'),
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

/** Null stands for the default. */
const country = 'Brasil';
const Country = z
  .string()
  .max(50)
  .nullish()
  .transform((name) => name ?? country);

const required = {
  zipCode: z.string().length(8),
  street: Line.min(1),
  number: Line.min(1),
  cityCode: z.int32(),
  stateCode: z.int32(),
};
const optional = {
  complement: Line.nullish(),
  district: z.string().max(50).nullish(),
  latitude: z.number().nullish(),
  longitude: z.number().nullish(),
};

/** An address as an organization's creation takes it. */
export const AddressFields = z.object({ ...required, ...optional, country: Country });

const OrganizationAddressCreate = AddressFields.extend({ organizationId: Uuid }).meta({
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
    country: z
      .string()
      .max(50)
      .nullable()
      .transform((name) => name ?? country)
      .optional(),
  })
  .meta({ id: 'OrganizationAddressUpdate', example: { complement: 'Sala 12' } });

export const organizationAddresses = {
  create: defineEndpoint(
    'POST /api/organization-addresses',
    access.user('organization-addresses', 'create', 'resource:organization-addresses'),
    {
      summary: 'Give an organization a new current address; the one before is closed',
      body: OrganizationAddressCreate,
      output: OrganizationAddress,
      success: 201,
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND', 'STATE_NOT_FOUND', 'CITY_NOT_FOUND', 'CITY_STATE_MISMATCH'],
    },
  ),
  list: defineEndpoint(
    'GET /api/organization-addresses',
    access.user('organization-addresses', 'read', 'resource:organization-addresses'),
    {
      summary: 'List the addresses in scope, newest first',
      query: {
        ...paging,
        organizationId: Uuid.optional(),
        cityCode: z.int32().optional(),
        stateCode: z.int32().optional(),
        currentOnly: z.boolean().optional(),
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
      summary: 'Get an address in scope',
      params: { id: Uuid },
      output: OrganizationAddress,
      success: 200,
      errors: ['ORGANIZATION_ADDRESS_NOT_FOUND'],
    },
  ),
  update: defineEndpoint(
    'PUT /api/organization-addresses/{id}',
    access.user('organization-addresses', 'update', 'resource:organization-addresses_id'),
    {
      summary: 'Change the given fields of a current address',
      params: { id: Uuid },
      body: OrganizationAddressUpdate,
      output: OrganizationAddress,
      success: 200,
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
      summary: 'Delete an address; its neighbours in time stay as they are',
      params: { id: Uuid },
      success: 204,
      errors: ['ORGANIZATION_ADDRESS_NOT_FOUND'],
    },
  ),
};
