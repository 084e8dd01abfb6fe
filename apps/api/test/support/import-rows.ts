import { praca, saoPaulo } from '@profile-service/contracts/examples';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { countWaiting } from './race.ts';
import type { World } from './world.ts';

/** The row of a file: its cells by column. */
export type ImportCells = Record<string, string | number>;

/** A CSV file of these rows, with the columns of the first one. The cells need no quotes. */
export const csvOf = ([first = {}, ...others]: ImportCells[]): string =>
  [Object.keys(first), ...[first, ...others].map((row) => Object.keys(first).map((column) => row[column] ?? ''))]
    .map((cells) => cells.join(','))
    .join('\r\n');

/** The cells of an address in São Paulo. @param prefix of the columns, such as `address.` */
export const addressCells = (prefix = ''): ImportCells =>
  Object.fromEntries(Object.entries({ ...praca, ...saoPaulo }).map(([column, value]) => [prefix + column, value]));

/** The row of a new organization. */
export const organizationRow = (federalTaxId: string, cells: ImportCells = {}): ImportCells => ({
  name: `Cooperativa ${federalTaxId}`,
  federalTaxId,
  ...addressCells('address.'),
  ...cells,
});

/**
 * Makes an import wait at the row that creates this organization: another transaction has inserted one with the same tax id. `reached` resolves when the
 * import waits, and `release` removes that organization again.
 */
export async function holdOrganization(world: World, federalTaxId: string) {
  const rival = new pg.Client({ connectionString: world.databaseUrl });
  await rival.connect();
  await rival.query('begin');
  await rival.query("insert into organizations (id, name, federal_tax_id) values (gen_random_uuid(), 'Rival', $1)", [federalTaxId]);
  let ending: Promise<void> | undefined;
  const release = () => (ending ??= rival.end());
  onTestFinished(release);
  return { reached: () => expect.poll(() => countWaiting(world)).toBeGreaterThan(0), release };
}

/** What an import has written: the events of its changes, with their audit entries, in the order of the changes. */
export const writtenBy = ({ sql }: World, { id }: { id: string }) =>
  sql<{ type: string; recordId: string; operation: string; outcome: string; actorId: string; tenantId: string | null }>(
    `select type, events.record_id as "recordId", operation, outcome, events.actor_id as "actorId", events.tenant_id as "tenantId"
     from audit_entries full join events using (id) where coalesce(events.request_id, audit_entries.request_id) = $1
     order by transaction_id, sequence`,
    [id],
  );
