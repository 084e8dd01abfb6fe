import { type Address, type Organization, pair, tenantsOf, unlink } from '../model.ts';
import { outOfReach, seesOrganization } from '../oracle/visibility.ts';
import { anyId, contains, equals, filters, newTaxId, next, place, placeFault, someOf } from './draws.ts';
import type { Case, Input, Scene } from './driver.ts';
import { drive } from './records.ts';

const placeCodes = { state: 'INVALID_STATE', city: 'INVALID_CITY', mismatch: 'CITY_STATE_MISMATCH' };

export const drawAddress = (scene: Scene): Input => ({ zipCode: '01001000', street: `Street m${next()}x`, number: '1', ...place(scene) });

export function makeAddress(fields: Input, id: string, organizationId: string): Address {
  const nothing = { complement: null, district: null, country: 'Brasil', latitude: null, longitude: null, validTo: null };
  return { ...nothing, ...fields, id, organizationId } as Address;
}

const drawName = (): string => `Organization m${next()}x`;

export const drawOrganization = (scene: Scene): Input => ({
  name: drawName(),
  federalTaxId: (scene.dice.chance(0.2) && scene.dice.pick([...scene.model.organizations.values()])?.federalTaxId) || newTaxId(),
  listed: scene.dice.chance(0.7),
  address: drawAddress(scene),
});

/** As a filter: what is outside the scope is refused. */
export const refuseFilter = ({ model, who, input: { organizationId } }: Case): string | undefined =>
  typeof organizationId !== 'string' || seesOrganization(model, who, organizationId) ? undefined : outOfReach(who);

export const organizations = drive<Organization>({
  table: 'organizations',
  key: 'id',
  notFound: 'ORGANIZATION_NOT_FOUND',
  visible: ({ model, who }, { id }) => seesOrganization(model, who, id),
  editable: ['name', 'alias', 'active', 'listed', 'logoPath'],
  drawCreation: drawOrganization,
  // What cannot be changed is ignored.
  drawChanges: (scene) =>
    someOf(scene, { name: drawName(), listed: scene.dice.chance(0.5), active: scene.dice.chance(0.5), federalTaxId: newTaxId() }),
  drawFilters: (scene) =>
    filters(scene, {
      organizationId: () => anyId(scene, scene.model.organizations),
      name: () => String(scene.dice.index(10)),
      active: () => scene.dice.chance(0.5),
      listed: () => scene.dice.chance(0.5),
    }),
  refuseFilters: refuseFilter,
  matches: (organization, { organizationId, name, active, listed }) =>
    equals(organization.id, organizationId) &&
    contains(organization.name, name) &&
    equals(organization.active, active) &&
    equals(organization.listed, listed),
  refuseCreation({ model, input }) {
    const isTaken = [...model.organizations.values()].some(({ federalTaxId }) => federalTaxId === input['federalTaxId']);
    const fault = placeFault(model, input['address'] as Input);
    const codes = [...(isTaken ? ['ORGANIZATION_ALREADY_EXISTS'] : []), ...(fault ? [placeCodes[fault]] : [])];
    return codes.length > 0 ? codes : undefined;
  },
  make({ input: { address: _, ...fields } }, { id, organizationAddressId }) {
    const nothing = { alias: null, stateTaxId: null, municipalTaxId: null, logoPath: null, active: true, metadata: null, deletedAt: null };
    return { ...nothing, ...fields, id, organizationAddressId } as unknown as Organization;
  },
  /** With an active tenant it is linked to it, and granted to a creator whose membership is RESTRICTED, whatever the persona. */
  created({ model, who, input }, { id, organizationAddressId }) {
    const addressId = String(organizationAddressId);
    model.addresses.set(addressId, makeAddress(input['address'] as Input, addressId, id));
    if (who.tenant) model.links.add(pair(id, who.tenant.id));
    if (who.membership?.scope === 'RESTRICTED') who.membership.grants.add(id);
  },
  refuseRemoval({ model, who }, { id }) {
    const others = tenantsOf(model, id).filter((tenant) => tenant !== who.tenant);
    return who.reach !== 'ALL' && others.length > 0 ? 'ORGANIZATION_IN_USE' : undefined;
  },
  removed({ model }, record) {
    for (const { id } of tenantsOf(model, record.id)) unlink(model, record.id, id);
    model.deletedOrganizations.set(record.id, record);
  },
});
