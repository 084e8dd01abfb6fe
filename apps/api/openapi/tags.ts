import type { Contract, NamedEndpoint } from '@profile-service/contracts';
import type { TagObject } from 'openapi3-ts/oas31';

type Module = Exclude<keyof Contract, 'service'> | keyof Contract['service'];

const descriptions: Record<Module, string> = {
  users: 'People with a local profile, each linked to an identity at the identity provider.',
  memberships: 'Links between users and tenants, with the persona of the user in the tenant.',
  customers: 'Customers of the platform, for whom apps run.',
  apps: 'Applications of the platform.',
  tenants: 'Instances of an app for a customer.',
  organizationScopes: 'Organizations of a tenant that a member can access.',
  organizations: 'Cooperatives, with their links to tenants.',
  organizationAddresses: 'Addresses of organizations, with their history. At most one is current; the others are closed.',
  organizationContacts: 'Telephone numbers, e-mail addresses and URLs of organizations. At most one is primary.',
  documentTypes: 'Types of documents, shared by all tenants.',
  states: 'States of Brazil.',
  cities: 'Cities of Brazil.',
  attachments: 'Files of organizations, customers and users, with their metadata.',
  documents: 'Documents of organizations.',
  me: 'Tenants and permissions of the caller.',
  cooperatives: 'A placeholder until the source of cooperatives is connected.',
  auditEntries: 'Committed changes and refused requests.',
};

const moduleOf = (name: string): Module => name.split('.').at(-2) as Module;

/** Derives the tag of an endpoint from its name: `documentTypes.list` → `Document types`. Service endpoints share the tag of their resource. */
export function tagOf(name: string): string {
  const words = moduleOf(name).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lists the tags in the order of the endpoints. */
export function tagsOf(endpoints: readonly NamedEndpoint[]): TagObject[] {
  const modules = new Map(endpoints.map(({ name }) => [tagOf(name), moduleOf(name)]));
  return [...modules].map(([name, module]) => ({ name, description: descriptions[module] }));
}
