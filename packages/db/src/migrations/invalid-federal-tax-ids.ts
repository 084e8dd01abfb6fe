import pg from 'pg';
import { connectionConfig } from '../connection/database.ts';

/** Counts the records that migration 0021 could not give a valid tax id. The view `invalid_federal_tax_ids` lists them. */
export async function countInvalidFederalTaxIds(connectionString: string, options: { ca?: string } = {}): Promise<number> {
  const client = new pg.Client(connectionConfig({ connectionString, ...options, applicationName: 'profile-service-migrate' }));
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from invalid_federal_tax_ids');
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
