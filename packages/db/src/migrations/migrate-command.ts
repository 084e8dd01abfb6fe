import { authorityIn } from '../connection/certificate-authority.ts';
import { countInvalidFederalTaxIds } from './invalid-federal-tax-ids.ts';
import { migrate } from './migrate.ts';

/** `pnpm db:migrate`: migrates the database of DATABASE_DIRECT_URL, or else of DATABASE_URL. DATABASE_CA_FILE is the authority of its certificate (optional). */
async function main(): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA_FILE: caFile } = process.env;
  const url = DATABASE_DIRECT_URL || DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set');
  const authority = authorityIn(caFile);
  const applied = await migrate(url, authority);
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The schema is up to date');
  const invalid = await countInvalidFederalTaxIds(url, authority);
  if (invalid > 0) console.warn(`${invalid} records have an invalid or duplicate tax id. The view invalid_federal_tax_ids lists them.`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
