import { type ErrorCode, errorCodes, recordOf, recordTypes } from '@profile-service/contracts';
import pg from 'pg';
import { camelCased } from './column-names.ts';

/** Error codes of unique constraints, if they are not `<TYPE>_ALREADY_EXISTS` of a constraint `<table>_<columns>_key`. */
const taken: Record<string, ErrorCode> = {
  users_id_identity_key: 'IDENTITY_ALREADY_LINKED',
  tenants_identity_client_id_key: 'IDENTITY_CLIENT_ALREADY_LINKED',
  // The client chooses these keys.
  states_pkey: 'STATE_ALREADY_EXISTS',
  cities_pkey: 'CITY_ALREADY_EXISTS',
};

/** Undefined for a constraint that no input can violate: its violation is a bug. */
function codeOfTaken({ constraint = '', table = '' }: pg.DatabaseError): ErrorCode | undefined {
  if (taken[constraint] || !constraint.endsWith('_key')) return taken[constraint];
  const type = recordTypes.find((each) => recordOf(each).table === camelCased(table));
  const code = type && recordOf(type).notFound?.replace(/NOT_FOUND$/, 'ALREADY_EXISTS');
  return errorCodes.find((known) => known === code);
}

interface ReferenceCodes {
  /** The referenced row does not exist. */
  absent: ErrorCode;
  /** Other rows refer to the row to delete. Absent if they are deleted with it, or if it is never deleted. */
  inUse?: ErrorCode;
}

/** Error codes of violated foreign keys. The handler that creates an organization replaces those of states and cities (ORGANIZATIONS-6). */
const references: Record<string, ReferenceCodes> = {
  users_customer_id_fkey: { absent: 'CUSTOMER_NOT_FOUND', inUse: 'CUSTOMER_IN_USE' },
  tenants_customer_id_fkey: { absent: 'CUSTOMER_NOT_FOUND', inUse: 'CUSTOMER_IN_USE' },
  tenants_app_id_fkey: { absent: 'APP_NOT_FOUND', inUse: 'APP_IN_USE' },
  memberships_user_id_fkey: { absent: 'USER_NOT_FOUND' },
  memberships_tenant_id_fkey: { absent: 'TENANT_NOT_FOUND' },
  membership_organizations_membership_fkey: { absent: 'USER_TENANT_NOT_FOUND' },
  membership_organizations_link_fkey: { absent: 'ORGANIZATION_NOT_LINKED_TO_TENANT' },
  organization_tenants_organization_id_fkey: { absent: 'ORGANIZATION_NOT_FOUND' },
  organization_tenants_tenant_id_fkey: { absent: 'TENANT_NOT_FOUND' },
  organizations_organization_address_id_fkey: { absent: 'ORGANIZATION_ADDRESS_NOT_FOUND' },
  organization_addresses_organization_id_fkey: { absent: 'ORGANIZATION_NOT_FOUND' },
  organization_addresses_state_code_fkey: { absent: 'STATE_NOT_FOUND', inUse: 'STATE_IN_USE' },
  organization_addresses_city_code_fkey: { absent: 'CITY_NOT_FOUND', inUse: 'CITY_IN_USE' },
  organization_addresses_state_of_city_fkey: { absent: 'CITY_STATE_MISMATCH', inUse: 'CITY_IN_USE' },
  organization_contacts_organization_id_fkey: { absent: 'ORGANIZATION_NOT_FOUND' },
  cities_state_code_fkey: { absent: 'INVALID_STATE', inUse: 'STATE_IN_USE' },
  attachments_user_id_fkey: { absent: 'USER_NOT_FOUND' },
  attachments_tenant_id_fkey: { absent: 'TENANT_NOT_FOUND' },
  webhooks_tenant_id_fkey: { absent: 'TENANT_NOT_FOUND' },
  webhook_progress_webhook_id_fkey: { absent: 'WEBHOOK_NOT_FOUND' },
  imports_created_by_fkey: { absent: 'USER_NOT_FOUND' },
  imports_tenant_id_fkey: { absent: 'TENANT_NOT_FOUND' },
  import_results_import_id_fkey: { absent: 'IMPORT_NOT_FOUND' },
  import_dry_run_records_import_id_fkey: { absent: 'IMPORT_NOT_FOUND' },
};

const uniqueViolation = '23505';
const foreignKeyViolation = '23503';

/**
 * Returns the error code for a constraint that a statement violated, or undefined for every other error.
 * Handlers use it instead of checking first.
 */
export function errorCodeOf(error: unknown): ErrorCode | undefined {
  if (!(error instanceof pg.DatabaseError) || !error.constraint) return undefined;
  if (error.code === uniqueViolation) return codeOfTaken(error);
  if (error.code !== foreignKeyViolation) return undefined;
  const codes = references[error.constraint];
  return isStillReferenced(error) ? codes?.inUse : codes?.absent;
}

/**
 * Whether the referenced row is the one that cannot be deleted. `table` is the referencing table in any case. The detail ends with the table of the other row:
 * `Key (id)=(7) is still referenced from table "tenants"`, but `Key (customer_id)=(7) is not present in table "customers"`.
 * The words depend on the language of the server. The name of the table does not.
 */
function isStillReferenced({ table, detail = '' }: pg.DatabaseError): boolean {
  const afterTheKey = detail.slice(detail.lastIndexOf(')'));
  return new RegExp(`\\b${table}\\b`).test(afterTheKey);
}
