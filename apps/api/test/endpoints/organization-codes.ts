import { curitiba, linkTo, linkedOrganization, organizationOf, praca } from '../support/organizations.ts';
import { absentId } from '../support/records.ts';
import { absent, but, type OwnCodes } from './own-code.ts';
import type { Place } from './place.ts';
import type { Input, RowName } from './samples.ts';

const known = async ({ world }: Place) => ({ federalTaxId: (await organizationOf(world)).federalTaxId });
const at = (place: Input) => () => ({ address: { ...praca, ...place } });

const creation = (name: RowName): OwnCodes => ({
  ORGANIZATION_ALREADY_EXISTS: but(name, known),
  INVALID_STATE: but(name, at({ stateCode: 99 })),
  INVALID_CITY: but(name, at({ cityCode: 1 })),
  CITY_STATE_MISMATCH: but(name, at({ stateCode: curitiba.stateCode })),
});
const outsideTheScope = (name: RowName): OwnCodes => ({
  NOT_ALLOWED_ORGANIZATION: absent(name, 'organizationId'),
  ORGANIZATION_NOT_FOUND: absent(name, 'organizationId'),
});
const place = (name: RowName): OwnCodes => ({
  STATE_NOT_FOUND: but(name, () => ({ stateCode: 99 })),
  CITY_NOT_FOUND: but(name, () => ({ cityCode: 1 })),
  CITY_STATE_MISMATCH: but(name, () => ({ stateCode: curitiba.stateCode })),
});
const membershipOf = (name: RowName): OwnCodes => ({
  USER_NOT_FOUND: absent(name, 'userId'),
  USER_TENANT_NOT_FOUND: absent(name, 'tenantId'),
});

async function closedAddress({ world, tenant }: Place): Promise<Input> {
  const { id: organizationId, organizationAddressId } = await organizationOf(world, tenant);
  await world.create('POST /api/organization-addresses', { organizationId, ...praca });
  return { id: organizationAddressId };
}

async function ofTwoTenants({ world, tenant, foreign }: Place): Promise<Input> {
  const id = await linkedOrganization(world, tenant.id);
  await linkTo(world, foreign, id);
  return { id };
}

/** An organization that the tenant's members don't see; an id of none would pass. */
const foreignEntity = (name: RowName) =>
  but(name, async ({ world, foreign }) => ({ entityId: await linkedOrganization(world, foreign.id) }));

/** The own codes of the rows about organizations, their attachments, addresses and contacts, their links and scopes. */
export const organizationCodes: Partial<Record<RowName, OwnCodes>> = {
  'organizationScopes.get': membershipOf('organizationScopes.get'),
  'organizationScopes.set': {
    ...membershipOf('organizationScopes.set'),
    ORGANIZATION_NOT_LINKED_TO_TENANT: but('organizationScopes.set', () => ({ organizationIds: [absentId] })),
  },
  'tenants.organizations': { TENANT_NOT_FOUND: absent('tenants.organizations', 'tenantId') },
  'organizations.create': creation('organizations.create'),
  'organizations.list': outsideTheScope('organizations.list'),
  'organizations.get': { ORGANIZATION_NOT_FOUND: absent('organizations.get', 'id') },
  'organizations.update': { ORGANIZATION_NOT_FOUND: absent('organizations.update', 'id') },
  'organizations.remove': { ORGANIZATION_NOT_FOUND: absent('organizations.remove', 'id'), ORGANIZATION_IN_USE: ofTwoTenants },
  'organizationAddresses.create': {
    ...outsideTheScope('organizationAddresses.create'),
    ...place('organizationAddresses.create'),
  },
  'organizationAddresses.list': outsideTheScope('organizationAddresses.list'),
  'organizationAddresses.get': { ORGANIZATION_ADDRESS_NOT_FOUND: absent('organizationAddresses.get', 'id') },
  'organizationAddresses.update': {
    ORGANIZATION_ADDRESS_NOT_FOUND: absent('organizationAddresses.update', 'id'),
    ORGANIZATION_ADDRESS_NOT_CURRENT: closedAddress,
    ...place('organizationAddresses.update'),
  },
  'organizationAddresses.remove': { ORGANIZATION_ADDRESS_NOT_FOUND: absent('organizationAddresses.remove', 'id') },
  'organizationContacts.create': outsideTheScope('organizationContacts.create'),
  'organizationContacts.list': outsideTheScope('organizationContacts.list'),
  'organizationContacts.get': { ORGANIZATION_CONTACT_NOT_FOUND: absent('organizationContacts.get', 'id') },
  'organizationContacts.update': { ORGANIZATION_CONTACT_NOT_FOUND: absent('organizationContacts.update', 'id') },
  'organizationContacts.remove': { ORGANIZATION_CONTACT_NOT_FOUND: absent('organizationContacts.remove', 'id') },
  'attachments.create': { NOT_ALLOWED_ORGANIZATION: foreignEntity('attachments.create') },
  'attachments.get': { ATTACHMENT_NOT_FOUND: absent('attachments.get', 'id') },
  'attachments.update': {
    ATTACHMENT_NOT_FOUND: absent('attachments.update', 'id'),
    NOT_ALLOWED_ORGANIZATION: foreignEntity('attachments.update'),
  },
  'attachments.remove': { ATTACHMENT_NOT_FOUND: absent('attachments.remove', 'id') },
  'service.documents.list': { NOT_ALLOWED_ORGANIZATION: absent('service.documents.list', 'organizationId') },
  'service.organizations.list': { NOT_ALLOWED_ORGANIZATION: absent('service.organizations.list', 'organizationId') },
  'service.organizations.create': creation('service.organizations.create'),
  'service.organizations.link': { ORGANIZATION_NOT_FOUND: absent('service.organizations.link', 'organizationId') },
  'service.organizations.unlink': { ORGANIZATION_NOT_FOUND: absent('service.organizations.unlink', 'organizationId') },
  'service.organizations.findByFederalTaxId': {
    ORGANIZATION_NOT_FOUND: but('service.organizations.findByFederalTaxId', () => ({ federalTaxId: '9'.repeat(14) })),
  },
};
