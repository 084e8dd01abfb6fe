import { newId } from '@profile-service/db';

export interface Ids {
  user: string;
  customer: string;
  app: string;
  tenant: string;
  organization: string;
  address: string;
  federalTaxId: string;
  contact: string;
  attachment: string;
  documentType: string;
  spareCustomer: string;
  spareApp: string;
}

type Fields = Record<string, unknown>;

/** Every subset of the fields, and of the groups of fields that change together. */
export function choices(fields: Fields, ...groups: Fields[]): Fields[] {
  const parts = [...Object.entries(fields).map(([key, value]) => ({ [key]: value })), ...groups];
  return parts.reduce<Fields[]>((made, part) => [...made, ...made.map((one) => ({ ...one, ...part }))], [{}]);
}

let serial = 10_000;
const digits = (length: number) => String(++serial).padStart(length, '0');
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

const place = { name: 'Nova', latitude: 0.5, longitude: -1 };
const [street, city] = [
  { zipCode: '01001000', street: 'Sé', number: '1' },
  { cityCode: 3550308, stateCode: 35 },
];
const address = { ...street, ...city };
const coordinates = { latitude: 1, longitude: 2 };
const addressOptions = { complement: 'A', district: 'Centro', ...coordinates };
const between = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2990-01-01T00:00:00.000Z' };

/** An uploaded file without a storage. */
export const file = () => ({
  filename: 'a.png',
  contentType: 'image/png',
  size: 1,
  place: async () => `files/${newId()}`,
  keep: () => undefined,
  discard: async () => undefined,
});

/** Inputs of handlers, in the form that validation returns. */
export const calls = {
  customer: () => ({ federalTaxId: digits(14), name: 'Central', active: true }),
  state: (stateCode: number) => ({ ...place, stateCode, uf: digits(2).slice(-2), region: 'Sul' }),
  city: (ibgeCode: number) => ({
    ...place,
    ibgeCode,
    capital: false,
    stateCode: 35,
    siafiId: digits(4).slice(-4),
    ddd: 11,
    timeZone: 'UTC',
  }),
  contact: () => ({ type: 'PHONE', value: digits(9), isPrimary: false }),
  documentType: () => ({
    name: newId(),
    isRequired: false,
    requiresApproval: false,
    hasExpiration: true,
    hasAuthenticityCode: false,
    isActive: true,
  }),
  organization: (): Fields => ({
    federalTaxId: digits(14),
    name: 'Vale Verde',
    active: true,
    listed: true,
    address: { ...address, country: 'Brasil' },
  }),
  person: () => ({ name: 'Ana', email: `${digits(11)}@example.com`, federalTaxId: digits(11), type: 'Technician' }),
};
export type Calls = typeof calls;

/** The inputs of each endpoint: every subset of its optional fields, lists of several lengths, and pages with and without a count. */
export function inputsOf(ids: Ids): Record<string, () => object[]> {
  const ofPages = (filters: Fields) => [
    ...choices(filters).map((chosen) => ({ ...chosen, page: 1, limit: 20 })),
    ...choices(filters).map((chosen) => ({ ...chosen, page: 2, limit: 1 })),
  ];
  const one = (input: object) => () => [input];
  const change =
    (key: Fields, fields: Fields, ...groups: Fields[]) =>
    () =>
      choices(fields, ...groups).map((chosen) => ({ ...key, ...chosen }));
  const add = (required: () => Fields, optional: Fields) => () => choices(optional).map((chosen) => ({ ...required(), ...chosen }));
  const list = (filters: Fields) => () => ofPages(filters);
  const ofEntries = { actorId: ids.user, organizationId: ids.organization, recordId: ids.organization };
  const auditLists = () => choices({ ...ofEntries, ...between, outcome: 'COMMITTED' }).map((chosen) => ({ ...chosen, limit: 20 }));
  const membership = { userId: ids.user, tenantId: ids.tenant };
  const organizationFilters = { organizationId: ids.organization, name: 'vale', active: true, listed: true };
  const organizationOptions = { alias: 'V', stateTaxId: '1', municipalTaxId: '2', logoPath: 'l', metadata: { a: 1 } };
  const createOrganization = () => [
    ...[0, 1, 3].flatMap((count) =>
      add(calls.organization, organizationOptions)().map((input) => ({ ...input, contacts: times(count, calls.contact) })),
    ),
    ...choices(addressOptions).map((chosen) => ({ ...calls.organization(), address: { ...address, ...chosen, country: 'Brasil' } })),
  ];

  return {
    'users.create': add(calls.person, { jobTitle: 'J', customerId: ids.customer }),
    'users.list': list({ name: 'a', email: 'b', type: 'Admin', customerId: ids.customer }),
    'users.get': one({ id: ids.user }),
    'users.update': change({ id: ids.user }, { name: 'A', email: 'a@b.example', type: 'Admin', jobTitle: null, customerId: ids.customer }),
    'users.remove': one({ id: ids.user }),
    'memberships.list': one({ userId: ids.user }),
    'memberships.assign': one({ ...membership, persona: 'viewer' }),
    'memberships.remove': one(membership),
    'memberships.users': one({ tenantId: ids.tenant }),
    'organizationScopes.get': one(membership),
    'organizationScopes.set': () => [
      { ...membership, scope: 'ALL' },
      { ...membership, scope: 'RESTRICTED', organizationIds: [] },
      { ...membership, scope: 'RESTRICTED', organizationIds: [ids.organization] },
    ],
    'customers.create': add(calls.customer, { alias: 'a', email: 'a@b.example', phone: '1', logoPath: 'l' }),
    'customers.list': list({}),
    'customers.get': one({ id: ids.customer }),
    'customers.update': change({ id: ids.customer }, { name: 'N', alias: null, email: null, phone: '1', logoPath: 'l', active: false }),
    'customers.remove': one({ id: ids.spareCustomer }),
    'apps.create': () => [{ name: newId() }],
    'apps.list': list({}),
    'apps.get': one({ id: ids.app }),
    'apps.update': change({ id: ids.app }, { name: newId() }),
    'apps.remove': one({ id: ids.spareApp }),
    'tenants.create': add(() => ({ customerId: ids.customer, appId: ids.app, name: 'T', active: true }), {
      metadata: { a: 1 },
      identityClientId: newId(),
      allowedScopes: ['a', 'b'],
    }),
    'tenants.list': list({}),
    'tenants.get': one({ id: ids.tenant }),
    'tenants.update': change(
      { id: ids.tenant },
      { name: 'T', active: true, metadata: null, identityClientId: 'client', allowedScopes: ['a'] },
    ),
    'tenants.remove': one({ id: ids.tenant }),
    'tenants.organizations': one({ tenantId: ids.tenant }),
    'organizations.create': createOrganization,
    'organizations.list': list(organizationFilters),
    'organizations.get': one({ id: ids.organization }),
    'organizations.update': change({ id: ids.organization }, { name: 'N', active: false, listed: false, ...organizationOptions }),
    'organizations.remove': one({ id: ids.organization }),
    'organizationAddresses.create': add(() => ({ ...address, country: 'Brasil', organizationId: ids.organization }), addressOptions),
    'organizationAddresses.list': list({ organizationId: ids.organization, cityCode: 3550308, stateCode: 35, currentOnly: true }),
    'organizationAddresses.get': one({ id: ids.address }),
    'organizationAddresses.update': change(
      { id: ids.address },
      { ...street, complement: 'A', district: 'Centro', country: 'Brasil' },
      city,
      coordinates,
    ),
    'organizationAddresses.remove': one({ id: ids.address }),
    'organizationContacts.create': add(() => ({ ...calls.contact(), organizationId: ids.organization }), {
      description: 'D',
      isPrimary: true,
    }),
    'organizationContacts.list': list({ organizationId: ids.organization, type: 'PHONE', isPrimary: true }),
    'organizationContacts.get': one({ id: ids.contact }),
    'organizationContacts.update': change({ id: ids.contact }, { type: 'URL', value: 'v', description: null, isPrimary: true }),
    'organizationContacts.remove': one({ id: ids.contact }),
    'documentTypes.create': add(calls.documentType, { description: 'D', defaultValidityDays: 3 }),
    'documentTypes.list': list({ name: 'a', isActive: true, isRequired: false }),
    'documentTypes.get': one({ id: ids.documentType }),
    'documentTypes.update': change({ id: ids.documentType }, { ...calls.documentType(), description: null, defaultValidityDays: 9 }),
    'documentTypes.remove': one({ id: ids.documentType }),
    'states.create': () => [calls.state(98)],
    'states.list': list({ name: 'a', uf: 'SP', region: 'Sul' }),
    'states.get': one({ stateCode: 35 }),
    'states.update': change({ stateCode: 35 }, { ...place, uf: 'zz', region: 'R' }),
    'states.remove': one({ stateCode: 99 }),
    'cities.create': () => [calls.city(2)],
    'cities.list': list({ name: 'a', stateCode: 35, capital: true }),
    'cities.get': one({ ibgeCode: 3550308 }),
    'cities.update': change({ ibgeCode: 1 }, { ...place, capital: true, stateCode: 35, siafiId: 'zzzz', ddd: 12, timeZone: 'UTC' }),
    'cities.remove': one({ ibgeCode: 1 }),
    'attachments.create': add(() => ({ file: file(), entityType: 'DOCUMENT' }), { entityId: ids.organization, description: 'D' }),
    'attachments.list': list({ entityType: 'DOCUMENT', entityId: ids.organization, userId: ids.user, ...between }),
    'attachments.get': one({ id: ids.attachment }),
    'attachments.update': change({ id: ids.attachment }, { entityId: ids.organization, description: null }),
    'attachments.remove': one({ id: ids.attachment }),
    'me.tenants': one({}),
    'me.permissions': one({}),
    'cooperatives.list': one({}),
    'auditEntries.list': auditLists,
    'service.users.create': () => [
      { ...calls.person(), persona: 'viewer' },
      { ...calls.person(), persona: 'viewer', jobTitle: 'J' },
    ],
    'service.organizations.list': list(organizationFilters),
    'service.organizations.create': () => createOrganization().slice(0, 8),
    'service.organizations.link': one({ organizationId: ids.organization }),
    'service.organizations.unlink': one({ organizationId: ids.organization }),
    'service.organizations.findByFederalTaxId': one({ federalTaxId: ids.federalTaxId }),
    'service.documents.list': list({ organizationId: ids.organization, ...between }),
    'service.cooperatives.list': one({}),
    'service.auditEntries.list': auditLists,
  };
}
