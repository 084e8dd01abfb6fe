import { contract, type Endpoint } from '@profile-service/contracts';
import type { AnyHandler } from '../request/handler.ts';
import { createRouter } from '../request/router.ts';
import { apps } from './apps.ts';
import { attachments } from './attachments.ts';
import { auditEntries, serviceAuditEntries } from './audit-entries.ts';
import { cities } from './cities.ts';
import { cooperatives, serviceCooperatives } from './cooperatives.ts';
import { customers } from './customers.ts';
import { documentTypes } from './document-types.ts';
import { events, serviceEvents } from './events.ts';
import { imports } from './imports.ts';
import { me } from './me.ts';
import { memberships } from './memberships.ts';
import { organizationAddresses } from './organization-addresses.ts';
import { organizationContacts } from './organization-contacts.ts';
import { organizationScopes } from './organization-scopes.ts';
import { organizations } from './organizations.ts';
import { serviceDocuments } from './service-documents.ts';
import { serviceOrganizations } from './service-organizations.ts';
import { serviceUsers } from './service-users.ts';
import { states } from './states.ts';
import { tenants } from './tenants.ts';
import { users } from './users.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhooks } from './webhooks.ts';

const router = createRouter(contract, {
  users,
  memberships,
  organizationScopes,
  customers,
  apps,
  tenants,
  organizations,
  organizationAddresses,
  organizationContacts,
  documentTypes,
  states,
  cities,
  attachments,
  me,
  cooperatives,
  auditEntries,
  events,
  webhooks,
  webhookDeliveries,
  imports,
  service: {
    users: serviceUsers,
    organizations: serviceOrganizations,
    documents: serviceDocuments,
    cooperatives: serviceCooperatives,
    auditEntries: serviceAuditEntries,
    events: serviceEvents,
  },
});

/** Returns the handler of an endpoint. `implement` ensures that each endpoint has one. */
export function handlerOf(endpoint: Endpoint): AnyHandler {
  const handler = router.get(endpoint);
  if (!handler) throw new Error(`${endpoint.method} ${endpoint.path} has no handler`);
  return handler;
}
