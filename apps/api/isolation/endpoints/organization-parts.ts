import { unsetFields } from '@profile-service/contracts/examples';
import type { Address, Contact, Model } from '../../test/oracle/model.ts';
import { outsideScopeCode, seesOrganization, seesPartOf } from '../../test/oracle/visibility.ts';
import { anyCode, anyId, equals, filters, next, place, placeFault, someOf } from './draws.ts';
import type { Case, Input, DrawContext } from './driver.ts';
import { drawAddress, makeAddress, refuseFilter } from './organizations.ts';
import { drive } from './records.ts';

const placeCodes = { state: 'STATE_NOT_FOUND', city: 'CITY_NOT_FOUND', mismatch: 'CITY_STATE_MISMATCH' };
const drawOrganizationId = (context: DrawContext): string => anyId(context, context.model.organizations);

/** A creation for an organization outside the scope. */
const refuseOrganization = ({ model, who, input }: Case): string[] =>
  seesOrganization(model, who, String(input['organizationId'])) ? [] : [outsideScopeCode(who)];
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
  drawCreation: (context) => ({ organizationId: drawOrganizationId(context), ...drawAddress(context) }),
  drawChanges: (context) => ({
    ...someOf(context, { street: `Street m${next()}x`, number: '2', district: 'Centro' }),
    ...(context.random.chance(0.2) ? someOf(context, place(context)) : {}),
  }),
  drawFilters: (context) =>
    filters(context, {
      organizationId: () => drawOrganizationId(context),
      cityCode: () => anyCode(context, context.model.cities),
      stateCode: () => anyCode(context, context.model.states),
      currentOnly: () => context.random.chance(0.5),
    }),
  refuseFilters: refuseFilter,
  matches: (address, { organizationId, cityCode, stateCode, currentOnly }) =>
    equals(address.organizationId, organizationId) &&
    equals(address.cityCode, cityCode) &&
    equals(address.stateCode, stateCode) &&
    (currentOnly !== true || address.validTo === null),
  refuseCreation(it) {
    const organization = refuseOrganization(it);
    // A 403 takes precedence. The specification leaves the order of two 404s open.
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

const drawContact = ({ random }: DrawContext): Input =>
  random.oneOf(
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
  drawCreation: (context) => ({
    organizationId: drawOrganizationId(context),
    ...drawContact(context),
    ...(context.random.chance(0.4) ? { isPrimary: true } : {}),
  }),
  drawChanges: (context) => ({
    ...(context.random.chance(0.5) ? drawContact(context) : {}),
    ...someOf(context, { description: `m${next()}x`, isPrimary: context.random.chance(0.6) }),
  }),
  drawFilters: (context) =>
    filters(context, {
      organizationId: () => drawOrganizationId(context),
      type: () => context.random.oneOf('PHONE', 'EMAIL', 'URL'),
      isPrimary: () => context.random.chance(0.5),
    }),
  refuseFilters: refuseFilter,
  matches: (contact, { organizationId, type, isPrimary }) =>
    equals(contact.organizationId, organizationId) && equals(contact.type, type) && equals(contact.isPrimary, isPrimary),
  refuseCreation: (it) => none(refuseOrganization(it)),
  make: ({ input }, { id }) => ({ ...unsetFields('organizationContacts.create'), ...input, id }) as unknown as Contact,
  created: givePrimary,
  changed: givePrimary,
});
