import pg from 'pg';
import { copyTable } from './copy.ts';
import { indexesOf } from './indexes.ts';
import type { Size } from './size.ts';
import { tablesOf } from './tables.ts';

/** Fills a migrated database that has no records besides states and cities. */
export async function loadData(url: string, size: Size): Promise<void> {
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })] as const;
  try {
    for (const client of clients) {
      await client.connect();
      await client.query("set maintenance_work_mem = '512MB'");
    }
    const [first] = clients;
    const tables = tablesOf(size);
    const indexes = await indexesOf(
      first,
      tables.map(({ name }) => name),
    );
    await indexes.drop(first);
    const waiting = tables.toReversed();
    await Promise.all(
      clients.map(async (client) => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await copyTable(client, next);
      }),
    );
    await indexes.create(clients);
    await first.query('vacuum analyze');
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
