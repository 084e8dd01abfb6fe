import { type Address, type Organization, pair, tenantsOf, unlink } from '../../test/oracle/model.ts';
import { seesOrganization } from '../../test/oracle/visibility.ts';
import { contains, equals, next } from './draws.ts';
import type { Input } from './driver.ts';
import { drawAddress, makeAddress, placeFault } from './places.ts';
import { drive } from './records.ts';

const placeCodes = { state: 'INVALID_STATE', city: 'INVALID_CITY', mismatch: 'CITY_STATE_MISMATCH' };

export const organizations = drive<Organization>('organization', {
  visible: ({ model, who }, { id }) => seesOrganization(model, who, id),
  draw: (context) => ({ name: `Organization m${next()}x`, address: drawAddress(context) }),
  matches(record, { organizationId, search, stateCode, cityCode }, model) {
    const address = model.organizationAddresses.get(record.organizationAddressId ?? '');
    return (
      equals(record.id, organizationId) &&
      equals(address?.stateCode, stateCode) &&
      equals(address?.cityCode, cityCode) &&
      [record.name, record.alias, record.federalTaxId].some((text) => contains(text ?? '', search))
    );
  },
  showExported(record, { organizationAddresses }) {
    const { id: _id, organizationId: _organization, ...period } = organizationAddresses.get(record.organizationAddressId ?? '') ?? {};
    const { validTo: _validTo, ...address } = period as Partial<Address>;
    return { ...record, address: Object.keys(address).length > 0 ? address : null };
  },
  faults({ model }, { address }, record) {
    const fault = record ? null : placeFault(model, address as Input);
    return fault ? [placeCodes[fault]] : [];
  },
  /** A new organization is linked to the active tenant, and granted to a creator whose membership is RESTRICTED, whatever the persona. */
  created({ model, who, input }, { id, organizationAddressId }) {
    const addressId = String(organizationAddressId);
    model.organizationAddresses.set(addressId, makeAddress(input['address'] as Input, addressId, id));
    if (who.tenant) model.links.add(pair(id, who.tenant.id));
    if (who.membership?.scope === 'RESTRICTED') who.membership.grants.add(id);
  },
  refuseRemoval({ model, who }, { id }) {
    const others = tenantsOf(model, id).filter((tenant) => tenant !== who.tenant);
    return who.organizationScope !== 'ALL' && others.length > 0 ? 'ORGANIZATION_IN_USE' : undefined;
  },
  removed({ model }, record) {
    for (const { id } of tenantsOf(model, record.id)) {
      model.linksAtDeletion.add(pair(record.id, id));
      unlink(model, record.id, id);
    }
    model.deletedOrganizations.set(record.id, record);
  },
});
