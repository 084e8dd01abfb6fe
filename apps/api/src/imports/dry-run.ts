import { randomUUID } from 'node:crypto';
import type { IdentityProvider } from '@profile-service/auth';
import { Email, type ImportTypeName, importTypes } from '@profile-service/contracts';
import { type DryRunRecord, findDryRunRecords, saveDryRunRecord, type UnscopedDatabase } from '@profile-service/db';
import type { FileRow } from '@profile-service/record-files';
import type { HandlerDependencies } from '../request/handler.ts';
import type { RowEndpoint } from './row-endpoints.ts';

/**
 * Looks for the identities of the rows before a transaction, and returns what handlers use in a dry run: they create no identities and add no jobs.
 * @throws IDENTITY_PROVIDER_UNAVAILABLE
 */
export async function dryRunDependencies(
  dependencies: HandlerDependencies,
  endpoint: RowEndpoint,
  inputs: readonly Record<string, unknown>[],
): Promise<HandlerDependencies> {
  const { identity } = dependencies;
  const found = new Map<string, Identity | null>();
  const emails = endpoint.compiled.endpoint.reachesIdentityProvider ? inputs.map(({ email }) => email) : [];
  for (const email of emails) {
    const address = Email.safeParse(email);
    if (address.success) found.set(address.data, await identity.findByEmail(address.data));
  }
  return {
    ...dependencies,
    identity: {
      sendPasswordMail: async () => undefined,
      findByEmail: async (email) => found.get(email) ?? null,
      create: async () => ({ subject: `dry-run-${randomUUID()}`, needsPassword: false }),
    },
    jobs: { add: async () => undefined },
  };
}

type Identity = Awaited<ReturnType<IdentityProvider['create']>>;

/** The values of a row that no two records have, as keys: `federalTaxId:12345678000195`. */
export const keysOf = (type: ImportTypeName, { input }: FileRow): string[] =>
  importTypes[type].unique.flatMap((fields) => {
    const values = fields.map((field) => input[field]);
    // In any case, as the database compares them.
    return values.every((value) => typeof value === 'string') ? [`${fields.join()}:${values.join().trim().toUpperCase()}`] : [];
  });

/** Returns what earlier rows would have stored with the same keys. They are done again before the rows, so that these find their records. */
export const earlierRows = async (
  db: UnscopedDatabase,
  { id, keys, before }: { id: string; keys: readonly string[]; before: number },
): Promise<DryRunRecord[]> => db.all(findDryRunRecords, { id, keys: [...keys], before });

/** Remembers what the row would have stored, for later rows with these keys. */
export async function rememberRow(db: UnscopedDatabase, id: string, { row, input }: FileRow, keys: readonly string[]): Promise<void> {
  for (const key of keys) await db.run(saveDryRunRecord, { id, key, row, input: JSON.stringify(input) });
}
