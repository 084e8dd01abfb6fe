import { authorityIn } from '../connection/certificate-authority.ts';
import { loadGeography } from './geography.ts';

/** `pnpm geography:load`: loads states and cities into the database of DATABASE_DIRECT_URL, or else of DATABASE_URL. DATABASE_CA_FILE is the authority of its certificate (optional). */
async function main(): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA_FILE: caFile } = process.env;
  const url = DATABASE_DIRECT_URL || DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set');
  const { states, cities } = await loadGeography(url, authorityIn(caFile));
  console.log(`Inserted or updated: ${states} states, ${cities} cities`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
