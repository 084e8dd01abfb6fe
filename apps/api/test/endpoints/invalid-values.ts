import { absentId } from '../support/records.ts';
import type { EndpointName } from './samples.ts';

/** Values that a field rejects. A dotted field is inside another one; undefined leaves the field out. */
export type InvalidValues = Record<string, readonly unknown[]>;

/** Nothing visible, or characters that change the direction of text. */
const badNames = [
  '  ',
  '\t\n',
  '\u0001',
  '\u00a0\u3000',
  '\u200b\u2060\ufeff',
  '\u{e0020}',
  '\u202eanA',
  'An\u2066a',
  'Ana\u200f',
  'A\u061cna',
];
const long = (length: number) => 'x'.repeat(length + 1);
const notInteger = ['1', 1.5, 2 ** 31];
/** Adds the rejection of an absent field. */
const required = (values: InvalidValues, ...fields: string[]): InvalidValues =>
  Object.fromEntries([...new Set([...Object.keys(values), ...fields])].map((field) => [field, [...(values[field] ?? []), undefined]]));
const within = (field: string, values: InvalidValues): InvalidValues =>
  Object.fromEntries(Object.entries(values).map(([name, each]) => [`${field}.${name}`, each]));

const user: InvalidValues = {
  name: ['', ...badNames, null, long(255)],
  email: ['no mail', `ana@${'example.'.repeat(32)}com`, `${long(64)}@example.com`, `ana@${long(63)}.com`, 'ana@example-.com'],
  type: ['Root', 'admin'],
};
const cpf = ['5299822472', '529982247250', '52998224735', '52998224726', '529.982.247-25', '11111111111', 52998224725];
const userOptions: InvalidValues = { jobTitle: [7], customerId: ['7'] };

const customer: InvalidValues = { name: ['', ...badNames, null], alias: badNames, email: ['no mail'], active: ['yes', null], phone: [11] };
const taxId = ['1'.repeat(10), '1'.repeat(15), ' 400000209533 ', '123.456-78901', '１２３４５６７８９０１', 'ABCDEFGHIJÇ'];

const tenant: InvalidValues = {
  name: ['', ...badNames, null],
  active: ['yes', null],
  metadata: [[], 'text'],
  identityClientId: [7],
  allowedScopes: ['read', {}],
};

const organization: InvalidValues = {
  name: ['', ...badNames, null, long(255)],
  alias: [7, ...badNames],
  stateTaxId: [7],
  municipalTaxId: [7],
  logoPath: [false],
  active: [null],
  listed: ['true'],
  metadata: [[]],
};
const address: InvalidValues = {
  zipCode: ['0100100', '010010000', 1001000, null],
  street: ['', null],
  number: ['', 1, null],
  cityCode: ['3550308', 3550308.5, null],
  stateCode: [2 ** 31, 'SP', null],
};
const addressOptions: InvalidValues = { complement: [7], district: [long(50)], country: [long(50)], latitude: ['0'], longitude: [true] };
const contact: InvalidValues = { type: ['FAX', 'phone', null], value: ['', 7, null] };
const contactOptions: InvalidValues = { description: [7], isPrimary: [null, 'true'] };
const newOrganization: InvalidValues = {
  ...organization,
  ...required({ name: organization['name'] ?? [], federalTaxId: taxId }),
  address: [undefined, null],
  contacts: [null, {}],
  ...within('address', { ...required(address), ...addressOptions }),
  ...within('contacts.0', { ...required(contact), ...contactOptions }),
};

const documentType: InvalidValues = {
  name: ['', ...badNames, null, long(255)],
  isRequired: ['true'],
  description: [7],
  requiresApproval: [null],
  hasExpiration: [1],
  hasAuthenticityCode: ['no'],
  isActive: [null],
};
const validity = [0, -1, 1.5, '30', 2 ** 31];
const state: InvalidValues = {
  uf: ['S', 'SPP'],
  name: ['', ...badNames, long(255)],
  latitude: ['0', null],
  longitude: [true],
  region: ['', null],
};
const city: InvalidValues = {
  name: ['', ...badNames, long(255)],
  latitude: ['0'],
  longitude: [null],
  capital: ['false'],
  stateCode: notInteger,
  siafiId: ['', '71071', 7107],
  ddd: ['11', 1.5],
  timeZone: ['', 'Brasília', 'America/Nowhere', '-03:00', 3],
};
const flags = ['1', 'yes'];

/** Invalid values of fields, filters and path parameters. `page` and `limit` are tested with all lists in paging.test.ts. */
export const invalidValues: Partial<Record<EndpointName, InvalidValues>> = {
  'users.create': { ...required({ ...user, federalTaxId: cpf }), ...userOptions },
  'users.list': { type: ['admin'], customerId: ['7'] },
  'users.update': { ...user, ...userOptions, id: ['7'] },
  'service.users.create': {
    ...required({ ...user, type: ['Global'], persona: ['global', null], federalTaxId: cpf }),
    jobTitle: [7],
  },
  'memberships.assign': required({ tenantId: ['7'], persona: [null, 'global'] }),
  'organizationScopes.get': { tenantId: ['7'] },
  'organizationScopes.set': {
    scope: [undefined, 'NONE', null],
    organizationIds: [undefined, null, absentId],
    'organizationIds.0': [7],
  },
  'customers.create': { ...customer, ...required({ name: customer['name'] ?? [], federalTaxId: taxId }) },
  'customers.update': customer,
  'apps.create': required({ name: ['', ...badNames, null, 7, long(255)] }),
  'apps.get': { id: ['7'] },
  'apps.update': { name: ['', ...badNames, null] },
  'tenants.create': { ...tenant, ...required({ name: tenant['name'] ?? [], customerId: ['7'], appId: ['7'] }) },
  'tenants.update': tenant,
  'tenants.organizations': { tenantId: ['7'] },
  'organizations.create': newOrganization,
  'service.organizations.create': newOrganization,
  'organizations.list': { organizationId: ['7'], active: flags, listed: flags, name: ['\0', long(255)] },
  'service.organizations.list': { organizationId: ['7'], active: flags, listed: flags },
  'organizations.get': { id: ['7'] },
  'organizations.update': organization,
  'organizationAddresses.create': { ...required({ ...address, organizationId: ['7'] }), ...addressOptions },
  'organizationAddresses.list': { organizationId: ['7'], cityCode: ['x', '1.5'], stateCode: ['SP'], currentOnly: flags },
  'organizationAddresses.get': { id: ['7'] },
  'organizationAddresses.update': { ...address, district: addressOptions['district'] ?? [], country: [long(50)], latitude: ['0'] },
  'organizationContacts.create': { ...required({ ...contact, organizationId: ['7'] }), ...contactOptions },
  'organizationContacts.list': { organizationId: ['7'], type: ['FAX', 'email'], isPrimary: flags },
  'organizationContacts.get': { id: ['7'] },
  'organizationContacts.update': { ...contact, ...contactOptions },
  'documentTypes.create': { ...documentType, ...required({ name: documentType['name'] ?? [] }), defaultValidityDays: validity },
  'documentTypes.list': { isActive: flags, isRequired: flags },
  'documentTypes.get': { id: ['7'] },
  'documentTypes.update': documentType,
  'states.create': required({ ...state, stateCode: notInteger }),
  'states.list': { name: ['\0'] },
  'states.get': { stateCode: ['SP', '35.5', '99999999999', '\0'] },
  'states.update': state,
  'cities.create': required({ ...city, ibgeCode: notInteger }),
  'cities.list': { stateCode: ['SP'], capital: flags, name: ['\0'] },
  'cities.get': { ibgeCode: ['Curitiba', '1.5', '99999999999'] },
  'cities.update': city,
  'attachments.list': {
    startDate: ['2026-02-30', 'yesterday', '0000-01-01'],
    endDate: ['10/03/2026', "2026-01-01'; drop table attachments; --", '9999-12-31T23:59:59-23:59'],
    entityType: ['PHOTO'],
    entityId: ['none'],
    userId: ['1'],
  },
  'attachments.get': { id: ['7'] },
  'auditEntries.list': {
    startDate: ['2026-02-30'],
    endDate: ['yesterday'],
    actorId: ['7'],
    operation: [long(255), '\0'],
    recordType: ['Organization', 'cooperative'],
    recordId: [long(200), '\0'],
    organizationId: ['7'],
    tenantId: ['7'],
    outcome: ['committed'],
    limit: ['0', '101', '1.5'],
    cursor: ['none', long(1024)],
  },
  'service.auditEntries.list': { outcome: ['DONE'], limit: ['-1'], cursor: ['e30', '%%'] },
  'service.documents.list': { organizationId: ['1'], startDate: ['today'], endDate: ['2026-13-01'] },
  'service.organizations.link': { organizationId: ['7'] },
  'service.organizations.findByFederalTaxId': { federalTaxId: taxId },
};
