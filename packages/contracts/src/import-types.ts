import { z } from 'zod';
import { Customer, customers } from './customers.ts';
import type { Endpoint } from './endpoint.ts';
import { memberships } from './memberships.ts';
import { OrganizationAddress, organizationAddresses } from './organization-addresses.ts';
import { OrganizationContact, organizationContacts } from './organization-contacts.ts';
import { Organization, organizations } from './organizations.ts';
import { User, users } from './users.ts';

/** What an import can create. */
export interface ImportType {
  /** The endpoint that a row is a request of. */
  readonly create: Endpoint;
  /** The endpoint that changes a record in the mode `upsert`, for the record with the same tax id. Undefined: `create` does both, or there is no upsert. */
  readonly update?: Endpoint;
  /** The fields of a row. */
  readonly row: z.ZodObject;
  /** Columns with codes that people write with punctuation. */
  readonly codes: readonly string[];
  /** Columns of an export or of results that a row does not have. They are ignored. */
  readonly ignored: readonly string[];
  /** Lists of fields of which no two records have the same values. */
  readonly unique: readonly (readonly string[])[];
}

/** The columns of a result, which precede those of the file: a corrected file can be sent again. */
const resultColumns = ['row', 'status', 'id', 'code', 'errors'];

const typeOf = (create: Endpoint, record: z.ZodObject, rest: Partial<ImportType> = {}): ImportType => {
  const row = z.object({ ...create.params, ...create.body?.shape });
  return {
    create,
    row,
    codes: [],
    ignored: [...Object.keys(record.shape), ...resultColumns].filter((field) => !(field in row.shape)),
    unique: [],
    ...rest,
  };
};

const ofOrganization = { codes: ['federalTaxId', 'address.zipCode'], unique: [['federalTaxId']] };

/** The types of imports. */
export const importTypes = {
  organizations: typeOf(organizations.create, Organization, { ...ofOrganization, update: organizations.update }),
  organizationAddresses: typeOf(organizationAddresses.create, OrganizationAddress, { codes: ['zipCode'] }),
  organizationContacts: typeOf(organizationContacts.create, OrganizationContact),
  users: typeOf(users.create, User, { codes: ['federalTaxId'], unique: [['federalTaxId'], ['email']], update: users.update }),
  customers: typeOf(customers.create, Customer, { codes: ['federalTaxId'], unique: [['federalTaxId']], update: customers.update }),
  memberships: typeOf(memberships.assign, z.object({}), { unique: [['userId', 'tenantId']] }),
} as const satisfies Record<string, ImportType>;
export type ImportTypeName = keyof typeof importTypes;

export const importTypeNames = Object.keys(importTypes) as ImportTypeName[];
