import { curitiba, linkTo, linkedOrganization, organizationOf, praca } from '../support/organizations.ts';
import { absentId } from '../support/records.ts';
import { absent, but, type ErrorScenarios } from './error-scenario.ts';
import type { Fixture, Input } from './fixture-types.ts';
import type { EndpointName } from './samples.ts';

const knownTaxId = async ({ world }: Fixture) => ({ federalTaxId: (await organizationOf(world)).federalTaxId });
const withAddress = (fields: Input) => () => ({ address: { ...praca, ...fields } });

const creation = (name: EndpointName): ErrorScenarios => ({
  ORGANIZATION_ALREADY_EXISTS: but(name, knownTaxId),
  INVALID_STATE: but(name, withAddress({ stateCode: 99 })),
  INVALID_CITY: but(name, withAddress({ cityCode: 1 })),
  CITY_STATE_MISMATCH: but(name, withAddress({ stateCode: curitiba.stateCode })),
});
const outsideTheScope = (name: EndpointName): ErrorScenarios => ({
  NOT_ALLOWED_ORGANIZATION: absent(name, 'organizationId'),
  ORGANIZATION_NOT_FOUND: absent(name, 'organizationId'),
});
const address = (name: EndpointName): ErrorScenarios => ({
  STATE_NOT_FOUND: but(name, () => ({ stateCode: 99 })),
  CITY_NOT_FOUND: but(name, () => ({ cityCode: 1 })),
  CITY_STATE_MISMATCH: but(name, () => ({ stateCode: curitiba.stateCode })),
});
const membershipOf = (name: EndpointName): ErrorScenarios => ({
  USER_NOT_FOUND: absent(name, 'userId'),
  USER_TENANT_NOT_FOUND: absent(name, 'tenantId'),
});

async function closedAddress({ world, tenant }: Fixture): Promise<Input> {
  const { id: organizationId, organizationAddressId } = await organizationOf(world, tenant);
  await world.create('POST /api/organization-addresses', { organizationId, ...praca });
  return { id: organizationAddressId };
}

async function ofTwoTenants({ world, tenant, foreign }: Fixture): Promise<Input> {
  const id = await linkedOrganization(world, tenant.id);
  await linkTo(world, foreign, id);
  return { id };
}

/** The id of an organization outside the scope of the tenant. An id of no organization would be accepted. */
const foreignEntity = (name: EndpointName) =>
  but(name, async ({ world, foreign }) => ({ entityId: await linkedOrganization(world, foreign.id) }));

/** Errors of the endpoints for organizations, with their addresses, contacts, attachments, links and scopes. */
export const organizationCodes: Partial<Record<EndpointName, ErrorScenarios>> = {
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
    ...address('organizationAddresses.create'),
  },
  'organizationAddresses.list': outsideTheScope('organizationAddresses.list'),
  'organizationAddresses.get': { ORGANIZATION_ADDRESS_NOT_FOUND: absent('organizationAddresses.get', 'id') },
  'organizationAddresses.update': {
    ORGANIZATION_ADDRESS_NOT_FOUND: absent('organizationAddresses.update', 'id'),
    ORGANIZATION_ADDRESS_NOT_CURRENT: closedAddress,
    ...address('organizationAddresses.update'),
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
  'auditEntries.list': { NOT_ALLOWED_ORGANIZATION: absent('auditEntries.list', 'organizationId') },
  'service.auditEntries.list': { NOT_ALLOWED_ORGANIZATION: absent('service.auditEntries.list', 'organizationId') },
  'service.documents.list': { NOT_ALLOWED_ORGANIZATION: absent('service.documents.list', 'organizationId') },
  'service.organizations.list': { NOT_ALLOWED_ORGANIZATION: absent('service.organizations.list', 'organizationId') },
  'service.organizations.create': creation('service.organizations.create'),
  'service.organizations.link': { ORGANIZATION_NOT_FOUND: absent('service.organizations.link', 'organizationId') },
  'service.organizations.unlink': { ORGANIZATION_NOT_FOUND: absent('service.organizations.unlink', 'organizationId') },
  'service.organizations.findByFederalTaxId': {
    ORGANIZATION_NOT_FOUND: but('service.organizations.findByFederalTaxId', () => ({ federalTaxId: '9'.repeat(14) })),
  },
};
