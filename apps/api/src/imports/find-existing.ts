import type { ImportTypeName } from '@profile-service/contracts';
import { type Placeholders, scopedStatement, statement } from '@profile-service/db';
import type { Tables } from '../request/transaction.ts';

type ByTaxId = Placeholders<{ federalTaxId: string }>;

const findOrganization = scopedStatement((scoped, p: ByTaxId) =>
  scoped.organizations().select('organizations.id').where('organizations.federalTaxId', '=', p.federalTaxId),
);
const findCustomer = statement((db, p: ByTaxId) => db.selectFrom('customers').select('id').where('federalTaxId', '=', p.federalTaxId));
const findUser = statement((db, p: ByTaxId) =>
  db.selectFrom('users').select('id').where('federalTaxId', '=', p.federalTaxId).where('deletedAt', 'is', null),
);

/** Returns the id of the record with the tax id that the caller can see, for an upsert. Undefined if there is none. */
export async function findExisting({ scoped, unscoped }: Tables, type: ImportTypeName, taxId: unknown): Promise<string | undefined> {
  if (typeof taxId !== 'string') return undefined;
  const federalTaxId = taxId.toUpperCase();
  if (type === 'organizations') return (await scoped.first(findOrganization, { federalTaxId }))?.id;
  if (type === 'customers') return (await unscoped.first(findCustomer, { federalTaxId }))?.id;
  return type === 'users' ? (await unscoped.first(findUser, { federalTaxId }))?.id : undefined;
}
