import { personas } from '@profile-service/contracts';
import { absentId } from '../support/records.ts';
import { rpt } from '../support/rpt.ts';
import { profileClient } from '../support/world.ts';
import {
  application,
  as,
  type Caller,
  naming,
  person,
  rolesAt,
  serviceToken,
  unlessForGlobalUsers,
  unlessReserved,
  viewerWith,
  withoutToken,
  withToken,
} from './caller.ts';
import { anotherRole, anotherScope, scopeOf } from './who-may.ts';

/** Specification part 5 and part 2 of the decisions, caller by caller. */
export const callers: readonly Caller[] = [
  withoutToken('nobody', () => ({})),
  withoutToken('a token that is none', () => ({ token: 'a.b.c' })),
  withoutToken('an expired token', async ({ world }) => ({ token: await world.tokenOf({ claims: { exp: 1 } }) })),

  person('a Global user', 'allowed', ({ world }) => world.global),
  person('a Global user in a tenant', 'allowed', ({ globalMember: { token }, tenant }) => ({ token, tenant: tenant.id })),
  person('a Global user who names a foreign tenant', 'TENANT_NOT_ALLOWED', ({ globalMember: { token }, foreign }) => ({
    token,
    tenant: foreign.id,
  })),
  person('a Global user who names no uuid', 'TENANT_NOT_ALLOWED', ({ world }) => ({ ...world.global, tenant: 'harvest' })),
  person(
    'a Global user without persona in the tenant they name',
    'PERSONA_NOT_ASSIGNED',
    ({ globalWithoutPersona: { token }, tenant }) => ({
      token,
      tenant: tenant.id,
    }),
  ),

  ...personas.map((persona) => person(`a ${persona}`, as(persona), ({ members }) => members[persona])),
  person('a coordinator in one of two tenants', as('coordinator'), ({ ofTwoTenants: { token }, tenant }) => ({
    token,
    tenant: tenant.id.toUpperCase(),
  })),
  person('a viewer whose header is empty', as('viewer'), ({ members }) => ({ token: members.viewer.token, tenant: '' })),
  person('a viewer whose other tenant is inactive', as('viewer'), ({ ofInactiveTenantToo }) => ofInactiveTenantToo),

  person('a user without tenants', 'ACTIVE_TENANT_REQUIRED', ({ ofNoTenant }) => ofNoTenant),
  person('a user of two tenants who names none', 'ACTIVE_TENANT_REQUIRED', ({ ofTwoTenants }) => ofTwoTenants),
  person('a user of an inactive tenant', 'ACTIVE_TENANT_REQUIRED', ({ ofInactiveTenant }) => ofInactiveTenant),
  person(
    'a user who names an inactive tenant',
    'TENANT_NOT_ALLOWED',
    naming(({ inactive }) => inactive.id),
  ),
  person(
    'a user who names a foreign tenant',
    'TENANT_NOT_ALLOWED',
    naming(({ foreign }) => foreign.id),
  ),
  person(
    'a user who names an unknown tenant',
    'TENANT_NOT_ALLOWED',
    naming(() => absentId),
  ),
  person(
    'a user who names no uuid',
    'TENANT_NOT_ALLOWED',
    naming(() => 'harvest'),
  ),
  person('a member without persona', 'PERSONA_NOT_ASSIGNED', ({ withoutPersona }) => withoutPersona),
  person('a member without persona who names the tenant', 'PERSONA_NOT_ASSIGNED', ({ withoutPersona: { token }, tenant }) => ({
    token,
    tenant: tenant.id,
  })),

  person(
    'a viewer with the exception role',
    unlessForGlobalUsers,
    viewerWith(({ role }) => ({ roles: [role] })),
  ),
  person(
    "a viewer with the exception role of this service's client",
    unlessForGlobalUsers,
    viewerWith(({ role }) => rolesAt(profileClient.clientId, role)),
  ),
  person(
    'a viewer with the exception role of another client',
    as('viewer'),
    viewerWith(({ role }) => rolesAt('harvest', role)),
  ),
  person(
    'a viewer with the exception role for another scope',
    as('viewer'),
    viewerWith((rule) => ({ roles: [anotherRole(rule)] })),
  ),
  person(
    'the exception role without a tenant',
    'ACTIVE_TENANT_REQUIRED',
    withToken(
      ({ ofNoTenant }) => ofNoTenant,
      ({ role }) => ({ roles: [role] }),
    ),
  ),
  person(
    'the exception role without a persona',
    'PERSONA_NOT_ASSIGNED',
    withToken(
      ({ withoutPersona }) => withoutPersona,
      ({ role }) => ({ roles: [role] }),
    ),
  ),

  person(
    'a viewer with an RPT permission',
    unlessReserved,
    viewerWith((rule) => ({ claims: rpt(rule.resource, [scopeOf(rule)]) })),
  ),
  person(
    'a viewer with an RPT permission at another client',
    as('viewer'),
    viewerWith((rule) => ({ claims: rpt(rule.resource, [scopeOf(rule)], 'harvest') })),
  ),
  person(
    'a viewer with an RPT permission for another scope',
    as('viewer'),
    viewerWith((rule) => ({ claims: rpt(rule.resource, [anotherScope(rule)]) })),
  ),
  person(
    'a viewer who is super_admin',
    unlessReserved,
    viewerWith(() => ({ roles: ['super_admin'] })),
  ),
  person(
    'a viewer who is super_admin of a client',
    as('viewer'),
    viewerWith(() => rolesAt(profileClient.clientId, 'super_admin')),
  ),
  person(
    "a viewer logged in at the tenant's client",
    as('viewer'),
    viewerWith((_, { tenant }) => ({ azp: tenant.clientId })),
  ),

  person('a deleted user', 'USER_NOT_PROVISIONED', ({ deleted }) => deleted),
  person('an unknown person', 'USER_NOT_PROVISIONED', async ({ world }) => ({ token: await world.tokenOf() })),

  application('an application', 'allowed', ({ tenant }) => tenant.service),
  application('an application that names a tenant', 'allowed', ({ tenant, foreign }) => ({ ...tenant.service, tenant: foreign.id })),
  application(
    'an application of no tenant',
    'CLIENT_NOT_LINKED',
    serviceToken(() => 'harvest'),
  ),
  application('an application of an inactive tenant', 'CLIENT_NOT_LINKED', ({ inactive }) => inactive.service),
  application(
    "a login's token of an application",
    'CLIENT_NOT_LINKED',
    serviceToken(
      ({ tenant }) => tenant.clientId,
      () => ({ sid: 'a-session' }),
    ),
  ),
  application(
    'an application that has no name',
    'CLIENT_NOT_LINKED',
    serviceToken(
      () => '',
      () => ({ azp: undefined }),
    ),
  ),
  person(
    "a viewer with an application's token",
    as('viewer'),
    serviceToken(
      ({ tenant }) => tenant.clientId,
      ({ members }) => ({ sub: members.viewer.subject }),
    ),
  ),
];
