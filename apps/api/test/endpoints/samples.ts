import type { Contract, Endpoint } from '@profile-service/contracts';
import { upload } from '../support/files.ts';
import { newCity, newState } from '../support/geography.ts';
import { newOrganization, organizationOf, praca, saoPaulo } from '../support/organizations.ts';
import type { Place } from './place.ts';

/** Dotted, as in tRPC: `users.create`. */
type NamesOf<Tree> = { [K in keyof Tree & string]: Tree[K] extends Endpoint ? K : `${K}.${NamesOf<Tree[K]>}` }[keyof Tree & string];
export type RowName = NamesOf<Contract>;

type RowAt<Tree, Name> = Name extends keyof Tree
  ? Tree[Name]
  : Name extends `${infer Branch}.${infer Rest}`
    ? Branch extends keyof Tree
      ? RowAt<Tree[Branch], Rest>
      : never
    : never;
type SentTo<Name> = RowAt<Contract, Name> extends Endpoint<infer _M, infer _A, infer Sent> ? Sent : never;

export type Input = Record<string, unknown>;

/** Makes what a call of the row needs, within sight of the place's tenant, and gives the input: path, query and body in one flat object. */
type Sample<Sent> = (place: Place) => Sent | Promise<Sent>;

const userId = async ({ world }: Place) => (await world.person()).id;
const tenantId = async ({ world }: Place) => (await world.tenant()).id;
const appId = async ({ world }: Place) => (await world.create<{ id: string }>('POST /api/apps', { name: world.newTaxId() })).id;
const customerId = async ({ world }: Place) =>
  (await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Central' })).id;
const membership = async (place: Place) => {
  const tenant = await tenantId(place);
  return { userId: (await place.world.person({ [tenant]: 'viewer' })).id, tenantId: tenant };
};

const organization = ({ world, tenant }: Place) => organizationOf(world, tenant);
const organizationId = async (place: Place) => (await organization(place)).id;
const addressId = async (place: Place) => (await organization(place)).organizationAddressId ?? '';
const contact = async (place: Place) => ({
  organizationId: await organizationId(place),
  type: 'PHONE' as const,
  value: '+55 11 5555-0000',
});
const contactId = async (place: Place) =>
  (await place.world.create<{ id: string }>('POST /api/organization-contacts', await contact(place))).id;
const documentTypeId = async ({ world }: Place) =>
  (await world.create<{ id: string }>('POST /api/document-types', { name: world.newTaxId() })).id;
const attachmentId = async ({ world, members }: Place) => (await upload(world, members['tenant-admin'])).body.id;
const stateCode = async ({ world }: Place) => (await world.create<{ stateCode: number }>('POST /api/states', newState())).stateCode;
const ibgeCode = async ({ world }: Place) => (await world.create<{ ibgeCode: number }>('POST /api/cities', newCity())).ibgeCode;

/** A valid call of every row, in the contract's order: what the tests over all rows start from. A new row needs one here. */
export const samples = {
  'users.create': ({ world }) => world.newPerson(),
  'users.list': () => ({}),
  'users.get': async (place) => ({ id: await userId(place) }),
  'users.update': async (place) => ({ id: await userId(place), name: 'Renamed' }),
  'users.remove': async (place) => ({ id: await userId(place) }),
  'memberships.list': async (place) => ({ userId: (await membership(place)).userId }),
  'memberships.assign': async (place) => ({ userId: await userId(place), tenantId: await tenantId(place), persona: 'viewer' }),
  'memberships.remove': membership,
  'memberships.users': async (place) => ({ tenantId: (await membership(place)).tenantId }),
  'organizationScopes.get': membership,
  'organizationScopes.set': async (place) => ({ ...(await membership(place)), scope: 'RESTRICTED', organizationIds: [] }),
  'customers.create': ({ world }) => ({ federalTaxId: world.newTaxId(), name: 'Central' }),
  'customers.list': () => ({}),
  'customers.get': async (place) => ({ id: await customerId(place) }),
  'customers.update': async (place) => ({ id: await customerId(place), alias: 'C' }),
  'customers.remove': async (place) => ({ id: await customerId(place) }),
  'apps.create': ({ world }) => ({ name: world.newTaxId() }),
  'apps.list': () => ({}),
  'apps.get': async (place) => ({ id: await appId(place) }),
  'apps.update': async (place) => ({ id: await appId(place), name: place.world.newTaxId() }),
  'apps.remove': async (place) => ({ id: await appId(place) }),
  'tenants.create': async (place) => ({ customerId: await customerId(place), appId: await appId(place), name: 'Harvest' }),
  'tenants.list': () => ({}),
  'tenants.get': ({ tenant }) => ({ id: tenant.id }),
  'tenants.update': async (place) => ({ id: await tenantId(place), metadata: { region: 'south' } }),
  'tenants.remove': async (place) => ({ id: await tenantId(place) }),
  'tenants.organizations': ({ tenant }) => ({ tenantId: tenant.id }),
  'organizations.create': ({ world }) => newOrganization(world),
  'organizations.list': () => ({}),
  'organizations.get': async (place) => ({ id: await organizationId(place) }),
  'organizations.update': async (place) => ({ id: await organizationId(place), alias: 'C' }),
  'organizations.remove': async (place) => ({ id: await organizationId(place) }),
  'organizationAddresses.create': async (place) => ({ organizationId: await organizationId(place), ...praca }),
  'organizationAddresses.list': () => ({}),
  'organizationAddresses.get': async (place) => ({ id: await addressId(place) }),
  'organizationAddresses.update': async (place) => ({ id: await addressId(place), complement: 'Sala 1' }),
  'organizationAddresses.remove': async (place) => ({ id: await addressId(place) }),
  'organizationContacts.create': contact,
  'organizationContacts.list': () => ({}),
  'organizationContacts.get': async (place) => ({ id: await contactId(place) }),
  'organizationContacts.update': async (place) => ({ id: await contactId(place), isPrimary: true }),
  'organizationContacts.remove': async (place) => ({ id: await contactId(place) }),
  'documentTypes.create': ({ world }) => ({ name: world.newTaxId(), hasExpiration: true, defaultValidityDays: 365 }),
  'documentTypes.list': () => ({}),
  'documentTypes.get': async (place) => ({ id: await documentTypeId(place) }),
  'documentTypes.update': async (place) => ({ id: await documentTypeId(place), isActive: false }),
  'documentTypes.remove': async (place) => ({ id: await documentTypeId(place) }),
  'states.create': newState,
  'states.list': () => ({}),
  'states.get': () => ({ stateCode: saoPaulo.stateCode }),
  'states.update': async (place) => ({ stateCode: await stateCode(place), name: 'Velha' }),
  'states.remove': async (place) => ({ stateCode: await stateCode(place) }),
  'cities.create': newCity,
  'cities.list': () => ({}),
  'cities.get': () => ({ ibgeCode: saoPaulo.cityCode }),
  'cities.update': async (place) => ({ ibgeCode: await ibgeCode(place), name: 'Velha' }),
  'cities.remove': async (place) => ({ ibgeCode: await ibgeCode(place) }),
  // The file itself is not of the input: the REST face adds it.
  'attachments.create': () => ({ description: 'Estatuto social' }),
  'attachments.list': () => ({}),
  'attachments.get': async (place) => ({ id: await attachmentId(place) }),
  'attachments.update': async (place) => ({ id: await attachmentId(place), description: 'Ata' }),
  'attachments.remove': async (place) => ({ id: await attachmentId(place) }),
  'me.tenants': () => ({}),
  'me.permissions': () => ({}),
  'cooperatives.list': () => ({}),
  'service.users.create': ({ world }) => ({ ...world.newPerson(), type: 'Technician', persona: 'technician' }),
  'service.organizations.list': () => ({}),
  'service.organizations.create': ({ world }) => newOrganization(world),
  'service.organizations.link': async (place) => ({ organizationId: await organizationId(place) }),
  'service.organizations.unlink': async (place) => ({ organizationId: await organizationId(place) }),
  'service.organizations.findByFederalTaxId': async (place) => ({ federalTaxId: (await organization(place)).federalTaxId }),
  'service.cooperatives.list': () => ({}),
  'service.documents.list': () => ({}),
} satisfies { [Name in RowName]: Sample<SentTo<Name>> };

/** The sample of a row. Throws where the table above has none. */
export function sampleOf(name: string): Sample<Input> {
  const sample = (samples as Record<string, Sample<Input>>)[name];
  if (!sample) throw new Error(`No valid call of ${name} is known: add one to apps/api/test/endpoints/samples.ts`);
  return sample;
}
