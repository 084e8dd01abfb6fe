import { endpoints, isWrite, recordOf, recordTypes } from '@profile-service/contracts';
import { type Rule, ruleOf } from '../../test/oracle/rules.ts';
import { auditEntries } from './audit-entries.ts';
import { attachments, documents } from './attachments.ts';
import { documentTypes } from './document-types.ts';
import type { Driver } from './driver.ts';
import { events } from './events.ts';
import { cities, states } from './geography.ts';
import { imports } from './imports.ts';
import { me } from './me.ts';
import { memberships, organizationScopes } from './memberships.ts';
import { organizationAddresses, organizationContacts } from './organization-parts.ts';
import { organizations } from './organizations.ts';
import { reading } from './read.ts';
import { drive } from './records.ts';
import { cooperatives, service } from './service.ts';
import { tenants } from './tenants.ts';
import { users } from './users.ts';
import { webhookDeliveries, webhooks } from './webhooks.ts';

const rules = endpoints.map(({ endpoint }) => ruleOf(endpoint.method, endpoint.path));

/** The drivers of endpoints that do more than the contract says. The others are derived. */
const groups: Record<string, Record<string, Driver>> = {
  users,
  memberships,
  organizationScopes,
  tenants,
  organizations,
  organizationAddresses,
  organizationContacts,
  documentTypes,
  states,
  cities,
  attachments,
  imports: imports((name) => driverOf(name, true)),
  me: me(rules),
  cooperatives: { list: cooperatives(({ who }) => who.user?.id) },
  auditEntries,
  events,
  webhooks,
  webhookDeliveries,
  'service.users': { create: service.createUser },
  'service.organizations': {
    list: organizations.list,
    export: organizations.export,
    create: organizations.create,
    link: service.link,
    unlink: service.unlink,
    findByFederalTaxId: service.findByFederalTaxId,
  },
  'service.documents': { list: documents },
  'service.cooperatives': { list: cooperatives(({ who }) => who.tenant?.id) },
  'service.auditEntries': { list: auditEntries.list },
  'service.events': events,
};

/** An endpoint of the contract with its rule and its driver. */
export type DrivenEndpoint = ReturnType<typeof drivenEndpoints>[number];

/** Throws for a driver without an endpoint, and for an endpoint whose effects nothing predicts. */
export function drivenEndpoints() {
  for (const [group, drivers] of Object.entries(groups))
    for (const name of Object.keys(drivers).map((driver) => `${group}.${driver}`))
      // Some lists have no export.
      if (!name.endsWith('.export') && !endpoints.some((each) => each.name === name))
        throw new Error(`The contract has no endpoint ${name}, but the isolation test has a driver`);
  return endpoints.map(({ name, endpoint }, index) => ({
    name,
    method: endpoint.method,
    path: endpoint.path,
    /** Names of the query's parameters. */
    query: Object.keys(endpoint.query),
    takesBody: endpoint.body !== null,
    /** The endpoint uploads or downloads a file, and exists over REST only. */
    file: endpoint.media === 'json' ? null : endpoint.media,
    success: endpoint.success,
    rule: rules[index] as Rule,
    driver: driverOf(name, isWrite(endpoint)),
  }));
}

/** The driver of an endpoint: its own one, that of the five endpoints of a resource, or that of a read. */
function driverOf(name: string, writes: boolean): Driver {
  const [, group = '', last = ''] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const own = groups[group]?.[last];
  if (own) return own;
  const type = recordTypes.find((each) => recordOf(each).groups[0] === group);
  const derived = type && !(group in groups) ? (drive(type) as Record<string, Driver>)[last] : undefined;
  if (derived) return derived;
  if (!writes) return reading(name);
  throw new Error(
    `The isolation test cannot predict what ${name} changes: add a driver with draw and outcome to the group ${group} in apps/api/isolation/endpoints/index.ts`,
  );
}
