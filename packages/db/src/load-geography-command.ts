import { authorityIn } from './certificate-authority.ts';
import { loadGeography } from './geography.ts';

/** `pnpm geography:load`. DATABASE_URL is the database; DATABASE_CA_FILE, if set, the authority that signed its certificate. */
async function main(): Promise<void> {
  const { DATABASE_URL: url, DATABASE_CA_FILE: caFile } = process.env;
  if (!url) throw new Error('DATABASE_URL is not set');
  const { states, cities } = await loadGeography(url, authorityIn(caFile));
  console.log(`Brought in or up to date: ${states} states, ${cities} cities`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
