import { unsetFields } from '@profile-service/contracts/examples';
import { type Address, type Organization, pair, tenantsOf, unlink } from '../../test/oracle/model.ts';
import { outsideScopeCode, seesOrganization } from '../../test/oracle/visibility.ts';
import { anyId, contains, equals, filters, newTaxId, next, place, placeFault, someOf } from './draws.ts';
import type { Case, Input, DrawContext } from './driver.ts';
import { drive } from './records.ts';

const placeCodes = { state: 'INVALID_STATE', city: 'INVALID_CITY', mismatch: 'CITY_STATE_MISMATCH' };

export const drawAddress = (context: DrawContext): Input => ({
  zipCode: '01001000',
  street: `Street m${next()}x`,
  number: '1',
  ...place(context),
});

export function makeAddress(fields: Input, id: string, organizationId: string): Address {
  return { ...unsetFields('organizationAddresses.create'), ...fields, id, organizationId } as unknown as Address;
}

const drawName = (): string => `Organization m${next()}x`;

export const drawOrganization = (context: DrawContext): Input => ({
  name: drawName(),
  federalTaxId: (context.random.chance(0.2) && context.random.pick([...context.model.organizations.values()])?.federalTaxId) || newTaxId(),
  listed: context.random.chance(0.7),
  address: drawAddress(context),
});

/** The refusal of an organizationId filter outside the scope. */
export const refuseFilter = ({ model, who, input: { organizationId } }: Case): string | undefined =>
  typeof organizationId !== 'string' || seesOrganization(model, who, organizationId) ? undefined : outsideScopeCode(who);

export const organizations = drive<Organization>({
  table: 'organizations',
  key: 'id',
  notFound: 'ORGANIZATION_NOT_FOUND',
  visible: ({ model, who }, { id }) => seesOrganization(model, who, id),
  editable: ['name', 'alias', 'active', 'listed', 'logoPath'],
  drawCreation: drawOrganization,
  // A PUT ignores fields that cannot be changed.
  drawChanges: (context) =>
    someOf(context, { name: drawName(), listed: context.random.chance(0.5), active: context.random.chance(0.5), federalTaxId: newTaxId() }),
  drawFilters: (context) =>
    filters(context, {
      organizationId: () => anyId(context, context.model.organizations),
      name: () => String(context.random.index(10)),
      active: () => context.random.chance(0.5),
      listed: () => context.random.chance(0.5),
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
    return { ...unsetFields('organizations.create'), ...fields, id, organizationAddressId } as unknown as Organization;
  },
  /** A new organization is linked to the active tenant, and granted to a creator whose membership is RESTRICTED, whatever the persona. */
  created({ model, who, input }, { id, organizationAddressId }) {
    const addressId = String(organizationAddressId);
    model.addresses.set(addressId, makeAddress(input['address'] as Input, addressId, id));
    if (who.tenant) model.links.add(pair(id, who.tenant.id));
    if (who.membership?.scope === 'RESTRICTED') who.membership.grants.add(id);
  },
  refuseRemoval({ model, who }, { id }) {
    const others = tenantsOf(model, id).filter((tenant) => tenant !== who.tenant);
    return who.organizationScope !== 'ALL' && others.length > 0 ? 'ORGANIZATION_IN_USE' : undefined;
  },
  removed({ model }, record) {
    for (const { id } of tenantsOf(model, record.id)) unlink(model, record.id, id);
    model.deletedOrganizations.set(record.id, record);
  },
});
