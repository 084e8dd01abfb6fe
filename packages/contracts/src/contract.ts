import { apps } from './apps.ts';
import { attachments } from './attachments.ts';
import { auditEntries, serviceAuditEntries } from './audit-entries.ts';
import { cities } from './cities.ts';
import { cooperatives, serviceCooperatives } from './cooperatives.ts';
import { customers } from './customers.ts';
import { documentTypes } from './document-types.ts';
import { serviceDocuments } from './documents.ts';
import { me } from './me.ts';
import { memberships } from './memberships.ts';
import { organizationAddresses } from './organization-addresses.ts';
import { organizationContacts } from './organization-contacts.ts';
import { organizationScopes } from './organization-scopes.ts';
import { organizations, serviceOrganizations } from './organizations.ts';
import type { Endpoint } from './endpoint.ts';
import { states } from './states.ts';
import { tenants } from './tenants.ts';
import { serviceUsers, users } from './users.ts';

/** All endpoints of the service. The path of keys is the name of the procedure: `contract.service.users.create` is `service.users.create`. */
export const contract = {
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
  service: {
    users: serviceUsers,
    organizations: serviceOrganizations,
    documents: serviceDocuments,
    cooperatives: serviceCooperatives,
    auditEntries: serviceAuditEntries,
  },
};
export type Contract = typeof contract;

export interface NamedEndpoint {
  /** Dotted name of the procedure: `users.create`. */
  name: string;
  endpoint: Endpoint;
}

interface EndpointTree {
  readonly [key: string]: Endpoint | EndpointTree;
}

/** Distinguishes an endpoint from a group of endpoints. */
export const isEndpoint = (node: object): node is Endpoint => 'method' in node && 'path' in node;

function flatten(tree: EndpointTree, prefix: string): NamedEndpoint[] {
  return Object.entries(tree).flatMap(([key, node]) =>
    isEndpoint(node) ? [{ name: prefix + key, endpoint: node }] : flatten(node, `${prefix}${key}.`),
  );
}

/** All endpoints with their names, in the order of the contract. */
export const endpoints: readonly NamedEndpoint[] = flatten(contract, '');
