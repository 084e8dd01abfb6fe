import { endpoints } from '@profile-service/contracts';
import { type Rule, ruleOf } from '../../test/oracle/rules.ts';
import { apps } from './apps.ts';
import { auditEntries } from './audit-entries.ts';
import { attachments, documents } from './attachments.ts';
import { customers } from './customers.ts';
import { documentTypes } from './document-types.ts';
import type { Driver } from './driver.ts';
import { cities, states } from './geography.ts';
import { me } from './me.ts';
import { memberships, organizationScopes } from './memberships.ts';
import { organizationAddresses, organizationContacts } from './organization-parts.ts';
import { organizations } from './organizations.ts';
import { cooperatives, service } from './service.ts';
import { tenants } from './tenants.ts';
import { users } from './users.ts';

const rules = endpoints.map(({ endpoint }) => ruleOf(endpoint.method, endpoint.path));

const drivers = flat({
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
  me: me(rules),
  cooperatives: { list: cooperatives(({ who }) => who.user?.id) },
  auditEntries,
  'service.users': { create: service.createUser },
  'service.organizations': {
    list: organizations.list,
    create: organizations.create,
    link: service.link,
    unlink: service.unlink,
    findByFederalTaxId: service.findByFederalTaxId,
  },
  'service.documents': { list: documents },
  'service.cooperatives': { list: cooperatives(({ who }) => who.tenant?.id) },
  'service.auditEntries': auditEntries,
});

/** An endpoint of the contract with its rule and its driver. */
export interface DrivenEndpoint {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Names of the query's parameters. */
  query: readonly string[];
  takesBody: boolean;
  /** The endpoint uploads or downloads a file, and exists over REST only. */
  file: 'upload' | 'download' | null;
  success: number;
  rule: Rule;
  driver: Driver;
}

/** All endpoints. Throws for an endpoint without a driver, and for a driver without an endpoint. */
export function drivenEndpoints(): DrivenEndpoint[] {
  const unknown = endpoints.filter(({ name }) => !drivers.has(name)).map(({ name }) => name);
  const idle = [...drivers.keys()].filter((name) => !endpoints.some((endpoint) => endpoint.name === name));
  if (unknown.length > 0) throw new Error(`The isolation test has no driver for ${unknown.join(', ')}`);
  if (idle.length > 0) throw new Error(`The contract has no endpoint ${idle.join(', ')}`);
  return endpoints.map(({ name, endpoint }, index) => ({
    name,
    method: endpoint.method,
    path: endpoint.path,
    query: Object.keys(endpoint.query),
    takesBody: endpoint.body !== null,
    file: endpoint.media === 'json' ? null : endpoint.media,
    success: endpoint.success,
    rule: rules[index] as Rule,
    driver: drivers.get(name) as Driver,
  }));
}

function flat(tree: Record<string, Record<string, Driver>>): Map<string, Driver> {
  return new Map(
    Object.entries(tree).flatMap(([branch, leaves]) =>
      Object.entries(leaves).map(([leaf, driver]): [string, Driver] => [`${branch}.${leaf}`, driver]),
    ),
  );
}
