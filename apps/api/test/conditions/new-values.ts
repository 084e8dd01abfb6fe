import type { Fixture, Input } from '../endpoints/fixture-types.ts';
import type { Result } from '../endpoints/send.ts';
import { newCity, newState } from '../support/geography.ts';
import { campinas } from '../support/organizations.ts';
import { named, send, updates } from './versioned.ts';

/** For each field of a PUT, a value that no sample has. */
const values: Record<string, (fixture: Fixture) => Input | Promise<Input>> = {
  user: async ({ world, tenant }) => ({
    name: 'Other',
    email: world.newPerson().email,
    type: 'Coordinator',
    jobTitle: 'Other',
    customerId: tenant.customerId,
  }),
  // The two fields change together.
  organizationScope: () => ({ scope: 'RESTRICTED', organizationIds: [] }),
  customer: () => ({ name: 'Other', alias: 'Other', email: 'other@example.com', phone: '1', logoPath: '/other.png', active: false }),
  app: ({ world }) => ({ name: world.newTaxId() }),
  tenant: ({ world }) => ({
    name: 'Other',
    active: false,
    metadata: { other: true },
    identityClientId: world.newTaxId(),
    allowedScopes: ['other'],
  }),
  organization: () => ({
    name: 'Other',
    alias: 'Other',
    stateTaxId: '1',
    municipalTaxId: '1',
    logoPath: '/other.png',
    active: false,
    listed: false,
    metadata: { other: true },
  }),
  organizationAddress: () => ({
    zipCode: '13010000',
    street: 'Other',
    number: '99',
    complement: 'Other',
    district: 'Other',
    ...campinas,
    latitude: 1.5,
    longitude: 1.5,
    country: 'Other',
  }),
  organizationContact: () => ({ type: 'URL', value: 'https://other.example', description: 'Other', isPrimary: true }),
  documentType: ({ world }) => ({
    name: world.newTaxId(),
    isRequired: true,
    description: 'Other',
    requiresApproval: true,
    hasExpiration: true,
    defaultValidityDays: 7,
    hasAuthenticityCode: true,
    isActive: false,
  }),
  state: () => ({ ...newState(), stateCode: undefined, name: 'Other', latitude: 1.5, longitude: 1.5, region: 'Other' }),
  city: () => ({
    ...newCity(),
    ibgeCode: undefined,
    name: 'Other',
    latitude: 1.5,
    longitude: 1.5,
    capital: true,
    stateCode: 41,
    ddd: 41,
    timeZone: 'America/Manaus',
  }),
  attachment: async ({ world }) => ({ entityId: (await world.person()).id, description: 'Other' }),
};

/** Fields that are valid only together. */
const together: Record<string, readonly string[]> = {
  organizationScope: ['scope', 'organizationIds'],
  organizationAddress: ['cityCode', 'stateCode'],
};

/** A new value for each field of the type's PUT. Throws if one is missing. */
export async function otherValues(fixture: Fixture, type: string): Promise<Input> {
  const given = Object.entries((await values[type]?.(fixture)) ?? {}).filter(([, value]) => value !== undefined);
  const missing = Object.keys(named(updates, type).endpoint.body?.shape ?? {}).filter((field) => !given.some(([name]) => name === field));
  if (missing.length > 0) throw new Error(`Add values of ${type}.${missing.join(', ')} to apps/api/test/conditions/new-values.ts`);
  return Object.fromEntries(given);
}

/** The smallest changes of the record: one for each field of its PUT. */
export async function changesOf(fixture: Fixture, type: string): Promise<Input[]> {
  const all = Object.entries(await otherValues(fixture, type));
  const group = together[type] ?? [];
  const grouped = all.filter(([field]) => group.includes(field));
  const alone = all.filter(([field]) => !group.includes(field)).map((entry) => Object.fromEntries([entry]));
  return [...alone, ...(grouped.length > 0 ? [Object.fromEntries(grouped)] : [])];
}

/** Changes a record through its PUT. */
export const change = async (fixture: Fixture, type: string, key: Input): Promise<Result> =>
  send(fixture, named(updates, type), { input: { ...(await otherValues(fixture, type)), ...key } });
