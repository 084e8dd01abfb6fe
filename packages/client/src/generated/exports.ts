// Generated from packages/contracts by `pnpm generate client`. Do not edit.

/** The paths of the exports, by the names of their operations. */
export const exportPaths: Readonly<Record<string, string>> = {
  'users.export': '/api/users/export',
  'customers.export': '/api/customers/export',
  'organizations.export': '/api/organizations/export',
  'organizationAddresses.export': '/api/organization-addresses/export',
  'organizationContacts.export': '/api/organization-contacts/export',
  'auditEntries.export': '/api/audit-entries/export',
  'imports.template': '/api/imports/template',
  'imports.results': '/api/imports/{id}/results',
  'service.organizations.export': '/service/organizations/export',
};
