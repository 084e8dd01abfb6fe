import { type Contract, endpoints } from '../src/index.ts';
import { apps } from './apps.ts';
import { attachments, serviceDocuments } from './attachments.ts';
import { auditEntries, serviceAuditEntries } from './audit-entries.ts';
import { customers } from './customers.ts';
import { documentTypes } from './document-types.ts';
import type { Example, ExamplesOf, Input } from './example.ts';
import { cities, states } from './geography.ts';
import { memberships, organizationScopes } from './memberships.ts';
import { organizationAddresses } from './organization-addresses.ts';
import { organizationContacts } from './organization-contacts.ts';
import { organizations, serviceOrganizations } from './organizations.ts';
import { tenants } from './tenants.ts';
import { serviceUsers, users } from './users.ts';
import { none } from './values.ts';

export { optionalParts, smallestChanges } from './changes.ts';
export type * from './example.ts';
export { nestedLengths, newOrganization, organizationOptions } from './organizations.ts';
export * from './places.ts';
export { absentId } from './values.ts';

/** One example per endpoint. An endpoint without example does not compile. */
const tree: ExamplesOf<Contract> = {
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
  me: { tenants: { valid: none }, permissions: { valid: none } },
  cooperatives: { list: { valid: none } },
  auditEntries,
  service: {
    users: serviceUsers,
    organizations: serviceOrganizations,
    documents: serviceDocuments,
    cooperatives: { list: { valid: none } },
    auditEntries: serviceAuditEntries,
  },
};

const find = (name: string) =>
  name.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], tree) as Example | undefined;

/** The example of an endpoint. Throws if it has none. @param name dotted: `users.create` */
export function exampleOf(name: string): Example {
  const found = find(name);
  if (!found) throw new Error(`Add an example of ${name} to packages/contracts/examples`);
  return found;
}

/** The fields of a new record that its creation did not name. @param name of the endpoint that creates it */
export function unsetFields(name: string): Input {
  const { generated = {}, nullable, defaults } = exampleOf(name).record ?? {};
  const empty = Object.fromEntries(Object.entries(generated).filter(([, form]) => form === null));
  return { ...empty, ...nullable, ...defaults };
}

/** All examples with their endpoints, in the order of the contract. */
export const examples = endpoints.flatMap(({ name, endpoint }) => {
  const example = find(name);
  return example ? [{ name, endpoint, example }] : [];
});
