import type { Address, Contact, Model } from '../model.ts';
import { outOfReach, seesOrganization, seesPartOf } from '../oracle/visibility.ts';
import { anyCode, anyId, equals, filters, next, place, placeFault, someOf } from './draws.ts';
import type { Case, Input, Scene } from './driver.ts';
import { drawAddress, makeAddress, refuseFilter } from './organizations.ts';
import { drive } from './records.ts';

const placeCodes = { state: 'STATE_NOT_FOUND', city: 'CITY_NOT_FOUND', mismatch: 'CITY_STATE_MISMATCH' };
const drawOrganizationId = (scene: Scene): string => anyId(scene, scene.model.organizations);

/** A creation for an organization outside the scope. */
const refuseOrganization = ({ model, who, input }: Case): string[] =>
  seesOrganization(model, who, String(input['organizationId'])) ? [] : [outOfReach(who)];
const refusePlace = (model: Model, fields: Input): string[] => {
  const fault = placeFault(model, fields);
  return fault ? [placeCodes[fault]] : [];
};
const none = (codes: string[]): string[] | undefined => (codes.length > 0 ? codes : undefined);

export const organizationAddresses = drive<Address>({
  table: 'addresses',
  key: 'id',
  notFound: 'ORGANIZATION_ADDRESS_NOT_FOUND',
  visible: ({ model, who }, record) => seesPartOf(model, who, record),
  editable: ['zipCode', 'street', 'number', 'complement', 'district', 'cityCode', 'stateCode', 'country', 'latitude', 'longitude'],
  drawCreation: (scene) => ({ organizationId: drawOrganizationId(scene), ...drawAddress(scene) }),
  drawChanges: (scene) => ({
    ...someOf(scene, { street: `Street m${next()}x`, number: '2', district: 'Centro' }),
    ...(scene.dice.chance(0.2) ? someOf(scene, place(scene)) : {}),
  }),
  drawFilters: (scene) =>
    filters(scene, {
      organizationId: () => drawOrganizationId(scene),
      cityCode: () => anyCode(scene, scene.model.cities),
      stateCode: () => anyCode(scene, scene.model.states),
      currentOnly: () => scene.dice.chance(0.5),
    }),
  refuseFilters: refuseFilter,
  matches: (address, { organizationId, cityCode, stateCode, currentOnly }) =>
    equals(address.organizationId, organizationId) &&
    equals(address.cityCode, cityCode) &&
    equals(address.stateCode, stateCode) &&
    (currentOnly !== true || address.validTo === null),
  refuseCreation(it) {
    const organization = refuseOrganization(it);
    // A 403 comes first; of two 404s either may.
    return none(organization.includes('NOT_ALLOWED_ORGANIZATION') ? organization : [...organization, ...refusePlace(it.model, it.input)]);
  },
  make: ({ input }, { id }) => makeAddress(input, String(id), String(input['organizationId'])),
  created({ model }, { id, organizationId }) {
    for (const address of model.addresses.values())
      if (address.organizationId === organizationId && address.id !== id) address.validTo = 'closed';
    const organization = model.organizations.get(organizationId);
    if (organization) organization.organizationAddressId = id;
  },
  refuseChange: ({ model, input }, record) =>
    none([
      ...(record.validTo === null ? [] : ['ORGANIZATION_ADDRESS_NOT_CURRENT']),
      ...('cityCode' in input || 'stateCode' in input ? refusePlace(model, { ...record, ...input }) : []),
    ]),
  removed({ model }, { id, organizationId }) {
    const organization = model.organizations.get(organizationId);
    if (organization?.organizationAddressId === id) organization.organizationAddressId = null;
  },
});

const drawContact = ({ dice }: Scene): Input =>
  dice.oneOf(
    { type: 'PHONE', value: `m${next()}x` },
    { type: 'EMAIL', value: `m${next()}x@example.com` },
    { type: 'URL', value: `https://m${next()}x.example.com/` },
  );

/** At most one contact of an organization is primary. */
function givePrimary({ model }: Case, { id, organizationId, isPrimary }: Contact): void {
  if (!isPrimary) return;
  for (const contact of model.contacts.values())
    if (contact.organizationId === organizationId && contact.id !== id) contact.isPrimary = false;
}

export const organizationContacts = drive<Contact>({
  table: 'contacts',
  key: 'id',
  notFound: 'ORGANIZATION_CONTACT_NOT_FOUND',
  visible: ({ model, who }, record) => seesPartOf(model, who, record),
  editable: ['type', 'description', 'value', 'isPrimary'],
  drawCreation: (scene) => ({
    organizationId: drawOrganizationId(scene),
    ...drawContact(scene),
    ...(scene.dice.chance(0.4) ? { isPrimary: true } : {}),
  }),
  drawChanges: (scene) => ({
    ...(scene.dice.chance(0.5) ? drawContact(scene) : {}),
    ...someOf(scene, { description: `m${next()}x`, isPrimary: scene.dice.chance(0.6) }),
  }),
  drawFilters: (scene) =>
    filters(scene, {
      organizationId: () => drawOrganizationId(scene),
      type: () => scene.dice.oneOf('PHONE', 'EMAIL', 'URL'),
      isPrimary: () => scene.dice.chance(0.5),
    }),
  refuseFilters: refuseFilter,
  matches: (contact, { organizationId, type, isPrimary }) =>
    equals(contact.organizationId, organizationId) && equals(contact.type, type) && equals(contact.isPrimary, isPrimary),
  refuseCreation: (it) => none(refuseOrganization(it)),
  make: ({ input }, { id }) => ({ id, description: null, isPrimary: false, ...input }) as unknown as Contact,
  created: givePrimary,
  changed: givePrimary,
});
