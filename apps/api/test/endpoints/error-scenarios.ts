import { organizationCodes } from './error-scenarios-organizations.ts';
import { absent, but, type ErrorScenarios } from './error-scenario.ts';
import type { Fixture, Input } from './fixture-types.ts';
import { referenceCodes } from './error-scenarios-reference-data.ts';
import { type EndpointName, sampleOf } from './samples.ts';

/** The e-mail of an identity whose user has a new e-mail. */
async function identityWithUser({ world }: Fixture): Promise<Input> {
  const { id, email } = await world.person();
  await world.call(world.global, `PUT /api/users/${id}`, { email: world.newPerson().email });
  return { email };
}

/** How to cause the errors that an endpoint declares besides the common ones. A new endpoint needs a line for each of its errors. */
const codes: Partial<Record<EndpointName, ErrorScenarios>> = {
  ...organizationCodes,
  ...referenceCodes,
  'users.create': {
    USER_ALREADY_EXISTS: but('users.create', async ({ world }) => ({ federalTaxId: (await world.person()).federalTaxId })),
    IDENTITY_ALREADY_LINKED: but('users.create', identityWithUser),
    CUSTOMER_NOT_FOUND: absent('users.create', 'customerId'),
  },
  'users.get': { USER_NOT_FOUND: absent('users.get', 'id') },
  'users.update': {
    USER_NOT_FOUND: absent('users.update', 'id'),
    CUSTOMER_NOT_FOUND: absent('users.update', 'customerId'),
    USER_ALREADY_EXISTS: but('users.update', async ({ world }) => ({ email: (await world.person()).email })),
  },
  'users.remove': { USER_NOT_FOUND: absent('users.remove', 'id') },
  'memberships.list': { USER_NOT_FOUND: absent('memberships.list', 'userId') },
  'memberships.assign': {
    USER_NOT_FOUND: absent('memberships.assign', 'userId'),
    TENANT_NOT_FOUND: absent('memberships.assign', 'tenantId'),
  },
  'memberships.remove': { USER_NOT_FOUND: absent('memberships.remove', 'userId') },
  'memberships.users': { TENANT_NOT_FOUND: absent('memberships.users', 'tenantId') },
  'customers.create': {
    CUSTOMER_ALREADY_EXISTS: async (fixture) => {
      const input = await sampleOf('customers.create')(fixture);
      await fixture.world.create('POST /api/customers', input);
      return input;
    },
  },
  'customers.get': { CUSTOMER_NOT_FOUND: absent('customers.get', 'id') },
  'customers.update': { CUSTOMER_NOT_FOUND: absent('customers.update', 'id') },
  'customers.remove': {
    CUSTOMER_NOT_FOUND: absent('customers.remove', 'id'),
    CUSTOMER_IN_USE: async ({ world }) => ({ id: (await world.tenant()).customerId }),
  },
  'apps.create': {
    APP_ALREADY_EXISTS: async (fixture) => {
      const input = await sampleOf('apps.create')(fixture);
      await fixture.world.create('POST /api/apps', input);
      return input;
    },
  },
  'apps.get': { APP_NOT_FOUND: absent('apps.get', 'id') },
  'apps.update': {
    APP_NOT_FOUND: absent('apps.update', 'id'),
    APP_ALREADY_EXISTS: but('apps.update', async ({ world }) => {
      const name = world.newTaxId();
      await world.create('POST /api/apps', { name });
      return { name };
    }),
  },
  'apps.remove': {
    APP_NOT_FOUND: absent('apps.remove', 'id'),
    APP_IN_USE: async ({ world }) => ({ id: (await world.tenant()).appId }),
  },
  'tenants.create': {
    CUSTOMER_NOT_FOUND: absent('tenants.create', 'customerId'),
    APP_NOT_FOUND: absent('tenants.create', 'appId'),
    IDENTITY_CLIENT_ALREADY_LINKED: but('tenants.create', ({ tenant }) => ({ identityClientId: tenant.clientId })),
  },
  'tenants.get': { TENANT_NOT_FOUND: absent('tenants.get', 'id') },
  'tenants.update': {
    TENANT_NOT_FOUND: absent('tenants.update', 'id'),
    IDENTITY_CLIENT_ALREADY_LINKED: but('tenants.update', ({ tenant }) => ({ identityClientId: tenant.clientId })),
  },
  'tenants.remove': { TENANT_NOT_FOUND: absent('tenants.remove', 'id') },
  'service.users.create': {
    IDENTITY_ALREADY_LINKED: but('service.users.create', identityWithUser),
    USER_DATA_MISMATCH: but('service.users.create', async ({ world }) => ({ email: (await world.person()).email })),
  },
};

/** How to cause the errors that the endpoint declares. */
export const errorScenariosOf = (name: string): ErrorScenarios => (codes as Record<string, ErrorScenarios>)[name] ?? {};
