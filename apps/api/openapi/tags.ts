import type { Contract, NamedEndpoint } from '@profile-service/contracts';
import type { TagObject } from 'openapi3-ts/oas31';

type Module = Exclude<keyof Contract, 'service'> | keyof Contract['service'];

const descriptions: Record<Module, string> = {
  users: 'People with a local profile, each bound to an identity of the identity provider.',
  memberships: 'Links between users and tenants; each carries the persona that the user has in the tenant.',
  customers: 'Those for whom apps are run.',
  apps: 'The applications of the platform.',
  tenants: 'Instances of an app for a customer.',
  organizationScopes: 'Which organizations of a tenant one of its members reaches.',
  organizations: 'Cooperatives, as far as the caller reaches them.',
  organizationAddresses: 'The addresses of organizations with their history: one is current, the others are closed.',
  organizationContacts: 'Telephones, e-mails and sites of organizations; one of them may be the primary one.',
  documentTypes: 'Kinds of documents, shared by all tenants.',
  states: 'The states of Brazil.',
  cities: 'The cities of Brazil.',
  attachments: 'Files that belong to organizations, customers, users or nothing in particular, and what is known of them.',
  documents: 'The documents of organizations.',
  me: 'What the caller is and may do.',
  cooperatives: 'Cooperatives, as a placeholder until their source is connected.',
};

const moduleOf = (name: string): Module => name.split('.').at(-2) as Module;

/** The tag of a row, from its module: `documentTypes.list` → `Document types`. Service rows stand with their resource. */
export function tagOf(name: string): string {
  const words = moduleOf(name).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The tags of the rows, in the rows' order. */
export function tagsOf(endpoints: readonly NamedEndpoint[]): TagObject[] {
  const modules = new Map(endpoints.map(({ name }) => [tagOf(name), moduleOf(name)]));
  return [...modules].map(([name, module]) => ({ name, description: descriptions[module] }));
}
