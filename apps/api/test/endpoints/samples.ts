import type { Contract, Endpoint } from '@profile-service/contracts';
import { upload } from '../support/files.ts';
import { newCity, newState } from '../support/geography.ts';
import { newOrganization, organizationOf, praca, saoPaulo } from '../support/organizations.ts';
import type { Fixture, Input } from './fixture-types.ts';

/** Dotted, as in tRPC: `users.create`. */
type NamesOf<Tree> = { [K in keyof Tree & string]: Tree[K] extends Endpoint ? K : `${K}.${NamesOf<Tree[K]>}` }[keyof Tree & string];
export type EndpointName = NamesOf<Contract>;

type EndpointAt<Tree, Name> = Name extends keyof Tree
  ? Tree[Name]
  : Name extends `${infer Branch}.${infer Rest}`
    ? Branch extends keyof Tree
      ? EndpointAt<Tree[Branch], Rest>
      : never
    : never;
type SentTo<Name> = EndpointAt<Contract, Name> extends Endpoint<infer _M, infer _A, infer Sent> ? Sent : never;

/** Creates what a call of the endpoint needs, in the scope of the fixture's tenant. Returns the input: path, query and body in one flat object. */
type Sample<Sent> = (fixture: Fixture) => Sent | Promise<Sent>;

const userId = async ({ world }: Fixture) => (await world.person()).id;
const tenantId = async ({ world }: Fixture) => (await world.tenant()).id;
const appId = async ({ world }: Fixture) => (await world.create<{ id: string }>('POST /api/apps', { name: world.newTaxId() })).id;
const customerId = async ({ world }: Fixture) =>
  (await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Central' })).id;
const membership = async (fixture: Fixture) => {
  const tenant = await tenantId(fixture);
  return { userId: (await fixture.world.person({ [tenant]: 'viewer' })).id, tenantId: tenant };
};

const organization = ({ world, tenant }: Fixture) => organizationOf(world, tenant);
const organizationId = async (fixture: Fixture) => (await organization(fixture)).id;
const addressId = async (fixture: Fixture) => (await organization(fixture)).organizationAddressId ?? '';
const contact = async (fixture: Fixture) => ({
  organizationId: await organizationId(fixture),
  type: 'PHONE' as const,
  value: '+55 11 5555-0000',
});
const contactId = async (fixture: Fixture) =>
  (await fixture.world.create<{ id: string }>('POST /api/organization-contacts', await contact(fixture))).id;
const documentTypeId = async ({ world }: Fixture) =>
  (await world.create<{ id: string }>('POST /api/document-types', { name: world.newTaxId() })).id;
const attachmentId = async ({ world, members }: Fixture) => (await upload(world, members['tenant-admin'])).body.id;
const stateCode = async ({ world }: Fixture) => (await world.create<{ stateCode: number }>('POST /api/states', newState())).stateCode;
const ibgeCode = async ({ world }: Fixture) => (await world.create<{ ibgeCode: number }>('POST /api/cities', newCity())).ibgeCode;

/** A valid input of every endpoint, in the order of the contract. The loops over all endpoints start from it; a new endpoint needs one. */
export const samples = {
  'users.create': ({ world }) => world.newPerson(),
  'users.list': () => ({}),
  'users.get': async (fixture) => ({ id: await userId(fixture) }),
  'users.update': async (fixture) => ({ id: await userId(fixture), name: 'Renamed' }),
  'users.remove': async (fixture) => ({ id: await userId(fixture) }),
  'memberships.list': async (fixture) => ({ userId: (await membership(fixture)).userId }),
  'memberships.assign': async (fixture) => ({ userId: await userId(fixture), tenantId: await tenantId(fixture), persona: 'viewer' }),
  'memberships.remove': membership,
  'memberships.users': async (fixture) => ({ tenantId: (await membership(fixture)).tenantId }),
  'organizationScopes.get': membership,
  'organizationScopes.set': async (fixture) => ({ ...(await membership(fixture)), scope: 'RESTRICTED', organizationIds: [] }),
  'customers.create': ({ world }) => ({ federalTaxId: world.newTaxId(), name: 'Central' }),
  'customers.list': () => ({}),
  'customers.get': async (fixture) => ({ id: await customerId(fixture) }),
  'customers.update': async (fixture) => ({ id: await customerId(fixture), alias: 'C' }),
  'customers.remove': async (fixture) => ({ id: await customerId(fixture) }),
  'apps.create': ({ world }) => ({ name: world.newTaxId() }),
  'apps.list': () => ({}),
  'apps.get': async (fixture) => ({ id: await appId(fixture) }),
  'apps.update': async (fixture) => ({ id: await appId(fixture), name: fixture.world.newTaxId() }),
  'apps.remove': async (fixture) => ({ id: await appId(fixture) }),
  'tenants.create': async (fixture) => ({ customerId: await customerId(fixture), appId: await appId(fixture), name: 'Harvest' }),
  'tenants.list': () => ({}),
  'tenants.get': ({ tenant }) => ({ id: tenant.id }),
  'tenants.update': async (fixture) => ({ id: await tenantId(fixture), metadata: { region: 'south' } }),
  'tenants.remove': async (fixture) => ({ id: await tenantId(fixture) }),
  'tenants.organizations': ({ tenant }) => ({ tenantId: tenant.id }),
  'organizations.create': ({ world }) => newOrganization(world),
  'organizations.list': () => ({}),
  'organizations.get': async (fixture) => ({ id: await organizationId(fixture) }),
  'organizations.update': async (fixture) => ({ id: await organizationId(fixture), alias: 'C' }),
  'organizations.remove': async (fixture) => ({ id: await organizationId(fixture) }),
  'organizationAddresses.create': async (fixture) => ({ organizationId: await organizationId(fixture), ...praca }),
  'organizationAddresses.list': () => ({}),
  'organizationAddresses.get': async (fixture) => ({ id: await addressId(fixture) }),
  'organizationAddresses.update': async (fixture) => ({ id: await addressId(fixture), complement: 'Sala 1' }),
  'organizationAddresses.remove': async (fixture) => ({ id: await addressId(fixture) }),
  'organizationContacts.create': contact,
  'organizationContacts.list': () => ({}),
  'organizationContacts.get': async (fixture) => ({ id: await contactId(fixture) }),
  'organizationContacts.update': async (fixture) => ({ id: await contactId(fixture), isPrimary: true }),
  'organizationContacts.remove': async (fixture) => ({ id: await contactId(fixture) }),
  'documentTypes.create': ({ world }) => ({ name: world.newTaxId(), hasExpiration: true, defaultValidityDays: 365 }),
  'documentTypes.list': () => ({}),
  'documentTypes.get': async (fixture) => ({ id: await documentTypeId(fixture) }),
  'documentTypes.update': async (fixture) => ({ id: await documentTypeId(fixture), isActive: false }),
  'documentTypes.remove': async (fixture) => ({ id: await documentTypeId(fixture) }),
  'states.create': newState,
  'states.list': () => ({}),
  'states.get': () => ({ stateCode: saoPaulo.stateCode }),
  'states.update': async (fixture) => ({ stateCode: await stateCode(fixture), name: 'Velha' }),
  'states.remove': async (fixture) => ({ stateCode: await stateCode(fixture) }),
  'cities.create': newCity,
  'cities.list': () => ({}),
  'cities.get': () => ({ ibgeCode: saoPaulo.cityCode }),
  'cities.update': async (fixture) => ({ ibgeCode: await ibgeCode(fixture), name: 'Velha' }),
  'cities.remove': async (fixture) => ({ ibgeCode: await ibgeCode(fixture) }),
  // The file is not part of the input: the REST transport adds it.
  'attachments.create': () => ({ description: 'Estatuto social' }),
  'attachments.list': () => ({}),
  'attachments.get': async (fixture) => ({ id: await attachmentId(fixture) }),
  'attachments.update': async (fixture) => ({ id: await attachmentId(fixture), description: 'Ata' }),
  'attachments.remove': async (fixture) => ({ id: await attachmentId(fixture) }),
  'me.tenants': () => ({}),
  'me.permissions': () => ({}),
  'cooperatives.list': () => ({}),
  'auditEntries.list': () => ({}),
  'service.users.create': ({ world }) => ({ ...world.newPerson(), type: 'Technician', persona: 'technician' }),
  'service.organizations.list': () => ({}),
  'service.organizations.create': ({ world }) => newOrganization(world),
  'service.organizations.link': async (fixture) => ({ organizationId: await organizationId(fixture) }),
  'service.organizations.unlink': async (fixture) => ({ organizationId: await organizationId(fixture) }),
  'service.organizations.findByFederalTaxId': async (fixture) => ({ federalTaxId: (await organization(fixture)).federalTaxId }),
  'service.documents.list': () => ({}),
  'service.cooperatives.list': () => ({}),
  'service.auditEntries.list': () => ({}),
} satisfies { [Name in EndpointName]: Sample<SentTo<Name>> };

/** The sample of an endpoint. Throws if it has none. */
export function sampleOf(name: string): Sample<Input> {
  const sample = (samples as Record<string, Sample<Input>>)[name];
  if (!sample) throw new Error(`Add a valid call of ${name} to apps/api/test/endpoints/samples.ts`);
  return sample;
}
