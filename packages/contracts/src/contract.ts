import { apps } from './apps.ts';
import { attachments } from './attachments.ts';
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
import type { Row } from './route.ts';
import { states } from './states.ts';
import { tenants } from './tenants.ts';
import { serviceUsers, users } from './users.ts';

/** The whole service, as data. A key is a procedure's name: `contract.service.users.create` is `service.users.create`. */
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
  service: { users: serviceUsers, organizations: serviceOrganizations, documents: serviceDocuments, cooperatives: serviceCooperatives },
};
export type Contract = typeof contract;

export interface NamedRow {
  /** Dotted, as in tRPC: `users.create`. */
  name: string;
  row: Row;
}

interface RowTree {
  readonly [key: string]: Row | RowTree;
}

/** Tells a row from a branch of the contract. */
export const isRow = (node: object): node is Row => 'method' in node && 'path' in node;

function flatten(tree: RowTree, prefix: string): NamedRow[] {
  return Object.entries(tree).flatMap(([key, node]) =>
    isRow(node) ? [{ name: prefix + key, row: node }] : flatten(node, `${prefix}${key}.`),
  );
}

/** All rows with their names, in the contract's order. */
export const rows: readonly NamedRow[] = flatten(contract, '');
