import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@profile-service/contracts';
import { expect } from 'vitest';
import { newCity, newState } from '../support/geography.ts';
import { campinas, curitiba, newOrganization, organizationOf, praca } from '../support/organizations.ts';
import { absentId } from '../support/records.ts';
import type { World } from '../support/world.ts';

export type Fields = Record<string, unknown>;

/** A resource with POST, GET, PUT and DELETE, and what its table in the specification says about its fields. */
export interface CrudResource {
  path: string;
  /** The field that identifies a record, `id` by default. */
  key?: string;
  /** The required fields of a new record. Texts have the greatest length. */
  required: (world: World) => Fields | Promise<Fields>;
  /** The optional fields of a new record. */
  optional?: (world: World) => Fields | Promise<Fields>;
  /** The optional fields that accept null, with their value after null or without a value. */
  nullable?: Fields;
  /** The other optional fields, with their defaults. */
  defaults?: Fields;
  /** The fields that the service sets. */
  generated: Fields;
  /** Bodies of PUT. Together they change every field that can be changed. */
  changes: (world: World) => Fields[] | Promise<Fields[]>;
  /** Fields that PUT ignores. */
  fixed: Fields;
  unique?: { fields: string[]; code: ErrorCode };
  /** Fields of POST that no response contains. */
  requestOnly?: string[];
  /** Fields of the record that the response to POST does not contain. */
  absentAfterPost?: string[];
}

const long = (length: number) => 'ç'.repeat(length);
const uniqueName = ({ newTaxId }: World, length = 255) => newTaxId().padEnd(length, 'ç');
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const id = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/) as string;
const withTimes = { id, createdAt: timestamp, updatedAt: timestamp };
const owners = new WeakMap<World, Promise<{ customerId: string; appId: string }>>();
/** A customer and an app, created once for all records of the world. */
const owner = async (world: World) => {
  const tenant = owners.get(world) ?? world.tenant();
  owners.set(world, tenant);
  const { customerId, appId } = await tenant;
  return { customerId, appId };
};
/** Each field in a body of its own. */
const oneByOne = (fields: Fields): Fields[] => Object.entries(fields).map(([field, value]) => ({ [field]: value }));

export const crudResources: CrudResource[] = [
  {
    path: '/api/users',
    required: (world) => ({ ...world.newPerson(), name: long(255), email: `${randomUUID()}-${'a'.repeat(27)}@${'b'.repeat(63)}.com` }),
    optional: async (world) => ({ jobTitle: 'Field', customerId: (await owner(world)).customerId }),
    nullable: { jobTitle: null, customerId: null },
    generated: { ...withTimes, idIdentity: expect.any(String) },
    changes: async (world) =>
      oneByOne({
        name: 'Ana',
        email: world.newPerson().email,
        type: 'Admin',
        jobTitle: 'Office',
        customerId: (await world.tenant()).customerId,
      }),
    fixed: { id: absentId, idIdentity: absentId, federalTaxId: '52998224725' },
    unique: { fields: ['email', 'federalTaxId'], code: 'USER_ALREADY_EXISTS' },
  },
  {
    path: '/api/customers',
    required: (world) => ({ federalTaxId: `AB${world.newTaxId().slice(-12)}`, name: long(255) }),
    optional: () => ({ alias: 'C', email: 'a@example.com', phone: '11', logoPath: 'a.png', active: false }),
    nullable: { alias: null, email: null, phone: null, logoPath: null },
    defaults: { active: true },
    generated: { id },
    changes: () => oneByOne({ name: 'West', alias: 'W', email: 'b@example.com', phone: '22', logoPath: 'b.png', active: true }),
    fixed: { id: absentId, federalTaxId: '99999999999999' },
    unique: { fields: ['federalTaxId'], code: 'CUSTOMER_ALREADY_EXISTS' },
    absentAfterPost: ['logoPath'],
  },
  {
    path: '/api/apps',
    required: (world) => ({ name: uniqueName(world) }),
    generated: { id },
    changes: (world) => [{ name: uniqueName(world) }],
    fixed: { id: absentId },
    unique: { fields: ['name'], code: 'APP_ALREADY_EXISTS' },
  },
  {
    path: '/api/tenants',
    required: async (world) => ({ ...(await owner(world)), name: long(255) }),
    optional: (world) => ({
      active: false,
      metadata: { region: 'south', snake_case: { camelCase: [1, { deep_key: null }] } },
      identityClientId: world.newTaxId(),
      allowedScopes: ['profile:read', 'profile:write'],
    }),
    nullable: { metadata: null, identityClientId: null, allowedScopes: null },
    defaults: { active: true },
    generated: { id },
    changes: (world) => oneByOne({ name: 'East', active: true, metadata: { a: 1 }, identityClientId: world.newTaxId(), allowedScopes: [] }),
    fixed: { id: absentId, customerId: absentId, appId: 'no uuid' },
    unique: { fields: ['identityClientId'], code: 'IDENTITY_CLIENT_ALREADY_LINKED' },
    absentAfterPost: ['identityClientId'],
  },
  {
    path: '/api/organizations',
    required: (world) => ({ ...newOrganization(world), name: long(255), federalTaxId: world.newTaxId().slice(-11) }),
    optional: () => ({
      alias: 'CA',
      stateTaxId: '1',
      municipalTaxId: '2',
      logoPath: 'logo.png',
      active: false,
      listed: false,
      metadata: { snake_case: { camelCase: [1, null] } },
    }),
    nullable: { alias: null, stateTaxId: null, municipalTaxId: null, logoPath: null, metadata: null },
    defaults: { active: true, listed: true },
    generated: { ...withTimes, organizationAddressId: expect.any(String), deletedAt: null },
    changes: () => [
      ...oneByOne({ name: 'South', alias: 'S', stateTaxId: '3', municipalTaxId: '4', logoPath: 'l.png', active: true, listed: true }),
      { metadata: { a_b: { cD: [] } } },
    ],
    fixed: { id: absentId, federalTaxId: '1', organizationAddressId: absentId, deletedAt: 'now', createdAt: 7, address: null },
    unique: { fields: ['federalTaxId'], code: 'ORGANIZATION_ALREADY_EXISTS' },
    requestOnly: ['address'],
  },
  {
    path: '/api/organization-addresses',
    required: async (world) => ({ organizationId: (await organizationOf(world)).id, ...praca, zipCode: 'ABCDEFGH' }),
    optional: () => ({ complement: 'Sala 1', district: long(50), country: long(50), latitude: -25.42, longitude: -49.27 }),
    nullable: { complement: null, district: null, country: 'Brasil', latitude: null, longitude: null },
    generated: { id, validFrom: timestamp, validTo: null },
    changes: () => [
      ...oneByOne({ zipCode: '80010000', street: 'x', number: 's/n', complement: 'Fundos', district: 'Centro', country: 'Uruguay' }),
      ...oneByOne({ latitude: 1, longitude: 2, cityCode: campinas.cityCode }),
      curitiba,
    ],
    fixed: { id: absentId, organizationId: absentId, validFrom: '2001-01-01T00:00:00.000Z', validTo: '2002-01-01T00:00:00.000Z' },
  },
  {
    path: '/api/organization-contacts',
    required: async (world) => ({ organizationId: (await organizationOf(world)).id, type: 'PHONE', value: '+55 11 5555-0000' }),
    optional: () => ({ description: 'Office', isPrimary: true }),
    nullable: { description: null },
    defaults: { isPrimary: false },
    generated: withTimes,
    changes: () => [{ type: 'EMAIL', value: 'office@example.com' }, { description: 'Home' }, { isPrimary: false }],
    fixed: { id: absentId, organizationId: absentId },
  },
  {
    path: '/api/document-types',
    required: (world) => ({ name: uniqueName(world) }),
    optional: () => ({
      description: 'Yearly',
      isRequired: true,
      requiresApproval: true,
      hasExpiration: true,
      defaultValidityDays: 2 ** 31 - 1,
      hasAuthenticityCode: true,
      isActive: false,
    }),
    nullable: { description: null, defaultValidityDays: null },
    defaults: { isRequired: false, requiresApproval: false, hasExpiration: false, hasAuthenticityCode: false, isActive: true },
    generated: withTimes,
    changes: (world) => [
      ...oneByOne({ name: uniqueName(world), description: 'Monthly', isRequired: false, requiresApproval: false }),
      ...oneByOne({ defaultValidityDays: 1, hasAuthenticityCode: false, isActive: true }),
      { hasExpiration: false, defaultValidityDays: null },
    ],
    fixed: { id: absentId },
    unique: { fields: ['name'], code: 'DOCUMENT_TYPE_ALREADY_EXISTS' },
  },
  {
    path: '/api/states',
    key: 'stateCode',
    required: () => ({ ...newState(), name: long(255) }),
    generated: {},
    changes: () => oneByOne({ uf: newState().uf, name: 'Velha', latitude: 1, longitude: 2, region: 'Sul' }),
    fixed: { stateCode: 35 },
    unique: { fields: ['stateCode', 'uf'], code: 'STATE_ALREADY_EXISTS' },
  },
  {
    path: '/api/cities',
    key: 'ibgeCode',
    required: () => ({ ...newCity(), name: long(255), timeZone: 'America/Noronha' }),
    generated: {},
    changes: () => [
      ...oneByOne({ name: 'Velha', latitude: 1, longitude: 2, capital: true, stateCode: 41, siafiId: 'a', ddd: 41 }),
      { timeZone: 'America/Bahia' },
    ],
    fixed: { ibgeCode: 3550308 },
    unique: { fields: ['ibgeCode', 'siafiId'], code: 'CITY_ALREADY_EXISTS' },
  },
];
