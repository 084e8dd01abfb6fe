import { apps } from './apps.ts';
import { attachments } from './attachments.ts';
import { auditEntries, serviceAuditEntries } from './audit-entries.ts';
import { cities } from './cities.ts';
import { cooperatives, serviceCooperatives } from './cooperatives.ts';
import { customers } from './customers.ts';
import { documentTypes } from './document-types.ts';
import { serviceDocuments } from './documents.ts';
import { events, serviceEvents } from './events.ts';
import { imports } from './imports.ts';
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
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhooks } from './webhooks.ts';

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
};
export type Contract = typeof contract;

/** Endpoints under `/service` are in the group of their resource. */
export type Group = Exclude<keyof Contract, 'service'> | keyof Contract['service'];

/** What each group of endpoints is about. The OpenAPI document has them as tags, in this order. */
export const groups: Record<Group, string> = {
  me: 'The caller: own tenants and permissions. A frontend calls these operations first.',
  users: 'People with a local profile, each linked to an identity at the identity provider.',
  memberships: 'Links between users and tenants, with the persona of the user in the tenant.',
  organizationScopes: 'Which organizations of a tenant a member can access: all, or only granted ones. Only Global users change it.',
  customers: 'Customers of the platform, for whom apps run.',
  apps: 'Products of the platform. An app runs for a customer as a tenant.',
  tenants: 'Instances of an app for a customer, in which users and applications work.',
  organizations: 'Cooperatives and other companies, with their links to tenants.',
  organizationAddresses: 'Addresses of organizations, with their history. At most one is current; the others are closed.',
  organizationContacts: 'Telephone numbers, e-mail addresses and URLs of organizations. At most one is primary.',
  attachments: 'Files of organizations, customers and users, with their metadata.',
  documents: 'Documents of organizations, as applications see them.',
  documentTypes: 'Types of documents, shared by all tenants.',
  states: 'States of Brazil, shared by all tenants. Cities and addresses refer to them by IBGE code.',
  cities: 'Cities of Brazil, shared by all tenants. Addresses refer to them by IBGE code.',
  cooperatives: 'A placeholder until the source of cooperatives is connected.',
  auditEntries: 'Committed changes and refused requests, with who made them.',
  events: 'Committed changes in their order, with the changed records. For programs that keep a copy, or act when a record changes.',
  webhooks: 'URLs to which the service sends the events of a tenant, or of all tenants.',
  imports: 'Files of records that are created or changed: dry run, progress, the result of each row.',
  webhookDeliveries: 'The events that were or are to be sent to a webhook, with each attempt.',
};

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
