import type { Address, Contact } from '../../test/oracle/model.ts';
import { next } from './draws.ts';
import type { Case } from './driver.ts';
import { drawAddress, placeFault } from './places.ts';
import { drive } from './records.ts';

export const organizationAddresses = drive<Address>('organizationAddress', {
  draw: drawAddress,
  matches: ({ validTo }, { currentOnly }) => currentOnly !== true || validTo === null,
  faults({ model }, fields, record) {
    const isMismatch = ('cityCode' in fields || 'stateCode' in fields) && placeFault(model, { ...record, ...fields }) === 'mismatch';
    return [
      ...(record && record.validTo !== null ? ['ORGANIZATION_ADDRESS_NOT_CURRENT'] : []),
      ...(isMismatch ? ['CITY_STATE_MISMATCH'] : []),
    ];
  },
  created({ model }, { id, organizationId }) {
    for (const address of model.organizationAddresses.values())
      if (address.organizationId === organizationId && address.id !== id) address.validTo = 'closed';
    const organization = model.organizations.get(organizationId);
    if (organization) organization.organizationAddressId = id;
  },
  removed({ model }, { id, organizationId }) {
    const organization = model.organizations.get(organizationId);
    if (organization?.organizationAddressId === id) organization.organizationAddressId = null;
  },
});

/** At most one contact of an organization is primary. */
function givePrimary({ model }: Case, { id, organizationId, isPrimary }: Contact): void {
  if (!isPrimary) return;
  for (const contact of model.organizationContacts.values())
    if (contact.organizationId === organizationId && contact.id !== id) contact.isPrimary = false;
}

export const organizationContacts = drive<Contact>('organizationContact', {
  draw: ({ random }) =>
    random.oneOf(
      { type: 'PHONE', value: `m${next()}x` },
      { type: 'EMAIL', value: `m${next()}x@example.com` },
      { type: 'URL', value: `https://m${next()}x.example.com/` },
    ),
  created: givePrimary,
  changed: givePrimary,
});
