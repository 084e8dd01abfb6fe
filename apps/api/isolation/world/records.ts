import { type Input, unsetFields } from '@profile-service/contracts/examples';
import { randomUUID } from 'node:crypto';
import { type City, type Model, pair } from '../../test/oracle/model.ts';
import { cpf } from '../../test/support/cpf.ts';
import { newTaxId, next } from '../endpoints/draws.ts';
import { makeAddress } from '../endpoints/places.ts';
import { clientOf, type Plan } from './plan.ts';

/** A person whom the identity provider knows from the start. */
export interface KnownIdentity {
  sub: string;
  email: string;
}

const beginning = Date.now() - 24 * 60 * 60 * 1000;

/** A UUIDv7 with a time before this run. Later ones are greater, also those that the service makes. */
function newId(): string {
  const milliseconds = (beginning + next()).toString(16).padStart(12, '0');
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${randomUUID().slice(15)}`;
}

/**
 * Fills the model according to the plan. The first user is a Global user, the root user.
 * @param identities of the people, in their order
 */
export function fillModel(model: Model, plan: Plan, identities: readonly KnownIdentity[]): void {
  addGeography(model);
  addSharedRecords(model);
  const [[customerId = ''], [appId = '']] = [[...model.customers.keys()], [...model.apps.keys()]];
  for (const [place, { active }] of plan.tenants.entries()) {
    const id = newId();
    const references = { customerId, appId, identityClientId: clientOf(place) };
    add(model.tenants, 'tenants.create', { id, ...references, name: `Tenant ${next()}`, active });
  }
  for (const tenantId of [null, ...model.tenants.keys()])
    add(model.webhooks, 'webhooks.create', { id: newId(), tenantId, url: `http://localhost:1024/m${next()}x`, types: ['*'] });
  for (const organization of plan.organizations) addOrganization(model, organization);
  const root: Plan['people'][number] = { type: 'Global', deleted: false, tokens: [{}], memberships: [] };
  for (const [place, person] of [root, ...plan.people].entries()) addPerson(model, person, identities[place]);
}

/** Adds a record. Fields that it does not name have the values that a creation without them gives. */
const add = <R>(table: Map<string, R>, creation: string, record: Input & { id: string }): void =>
  void table.set(record.id, { ...unsetFields(creation), ...record } as R);

/** Records that all tenants share. The last one of each kind is not referenced. */
function addSharedRecords(model: Model): void {
  for (let count = 0; count < 3; count += 1) {
    const [customerId, appId, typeId] = [newId(), newId(), newId()];
    add(model.customers, 'customers.create', { id: customerId, federalTaxId: newTaxId(), name: `Customer ${next()}` });
    model.apps.set(appId, { id: appId, name: `App ${next()}` });
    add(model.documentTypes, 'documentTypes.create', { id: typeId, name: `Document type ${next()}` });
  }
}

function addGeography(model: Model): void {
  const middle = { latitude: -23.5, longitude: -46.6 };
  const citiesOf = { SP: [3550308, 3509502], MG: [3106200, 3100104], XX: [], YY: [] };
  for (const [uf, stateCode] of Object.entries({ SP: 35, MG: 31, XX: 99, YY: 98 })) {
    model.states.set(stateCode, { stateCode, uf, name: `State ${uf}`, ...middle, region: 'Sudeste' });
    for (const ibgeCode of citiesOf[uf as keyof typeof citiesOf]) {
      const rest = { capital: true, siafiId: String(ibgeCode).slice(-4), ddd: 11, timeZone: 'America/Sao_Paulo' };
      model.cities.set(ibgeCode, { ibgeCode, name: `City ${ibgeCode}`, ...middle, stateCode, ...rest });
    }
  }
}

function addOrganization(model: Model, { deleted, links, contacts }: Plan['organizations'][number]): void {
  const [id, addressId] = [newId(), newId()];
  const organization = { id, name: `Organization m${next()}x`, federalTaxId: newTaxId(), organizationAddressId: addressId };
  add(deleted ? model.deletedOrganizations : model.organizations, 'organizations.create', organization);
  if (deleted) model.removedIds.set(model.organizations, [...(model.removedIds.get(model.organizations) ?? []), id]);
  const cities = [...model.cities.values()];
  const { ibgeCode: cityCode, stateCode } = cities[model.organizationAddresses.size % cities.length] as City;
  const where = { zipCode: '01001000', street: `Street m${next()}x`, number: '1', cityCode, stateCode };
  model.organizationAddresses.set(addressId, makeAddress(where, addressId, id));
  for (let count = 0; count < contacts; count += 1) {
    const contact = { id: newId(), organizationId: id, type: 'PHONE', value: `m${next()}x` };
    add(model.organizationContacts, 'organizationContacts.create', contact);
  }
  if (deleted) return;
  for (const [place, tenantId] of [...model.tenants.keys()].entries()) if (links[place]) model.links.add(pair(id, tenantId));
}

function addPerson(model: Model, { type, deleted, memberships }: Plan['people'][number], identity: KnownIdentity | undefined): void {
  const number = next();
  const { sub, email } = identity ?? { sub: randomUUID(), email: `person-${number}@example.com` };
  const id = newId();
  const user = { id, idIdentity: sub, name: `Person ${number}`, email, federalTaxId: cpf(number), type };
  add(deleted ? model.deletedUsers : model.users, 'users.create', user);
  if (identity) model.identities.set(email, sub);
  if (deleted) model.removedIds.set(model.users, [...(model.removedIds.get(model.users) ?? []), id]);
  const tenantIds = [...model.tenants.keys()];
  for (const { tenant, persona, restricted, granted } of memberships) {
    const tenantId = tenantIds[tenant];
    if (!tenantId) continue;
    const organizationIds = [...model.organizations.keys()].filter((each, at) => granted[at] && model.links.has(pair(each, tenantId)));
    const scope = restricted ? 'RESTRICTED' : 'ALL';
    const grants = new Set(restricted ? organizationIds : []);
    model.memberships.set(pair(id, tenantId), { userId: id, tenantId, persona, scope, grants });
  }
}
