import type { Contract, NamedEndpoint } from '@profile-service/contracts';
import type { TagObject } from 'openapi3-ts/oas31';

type Module = Exclude<keyof Contract, 'service'> | keyof Contract['service'];

/** The descriptions of the tags, in the order of the document: the caller and the access, master records, files, reference data, the rest. */
const descriptions: Record<Module, string> = {
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
};

const moduleOf = (name: string): Module => name.split('.').at(-2) as Module;

/** Derives the tag of an endpoint from its name: `documentTypes.list` → `Document types`. Service endpoints share the tag of their resource. */
export const tagOf = (name: string): string => nameOf(moduleOf(name));

function nameOf(module: string): string {
  const words = module.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lists the tags of the endpoints in the order of the descriptions. */
export function tagsOf(endpoints: readonly NamedEndpoint[]): TagObject[] {
  const used = new Set<string>(endpoints.map(({ name }) => moduleOf(name)));
  return Object.entries(descriptions).flatMap(([module, description]) => (used.has(module) ? { name: nameOf(module), description } : []));
}
