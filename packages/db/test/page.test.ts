import { contract } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { EncodedRows, pageStatement, unscoped } from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { database, sql } = await useDatabase();
const listApps = pageStatement(contract.apps.list, (db) => db.selectFrom('apps').select(['id', 'name']));

test('the rows of a page that may have more than 20 are encoded when they arrive, and no other row is', async () => {
  const apps = await sql<{ name: string }>(
    'insert into apps (id, name) select gen_random_uuid(), n::text from generate_series(10, 39) n returning id, name',
  );
  for (const limit of [20, 21, 30, 31]) {
    const encoded: unknown[] = [];
    const encodeRow = (row: unknown) => JSON.stringify(encoded[encoded.push(row) - 1]);
    const request = { page: 1, limit, sort: ['name'], filters: {} };
    const { data, total } = await unscoped(database.executor).page(listApps, request, encodeRow);
    expect([data instanceof EncodedRows, total]).toEqual([limit > 20, 30]);
    const rows = data instanceof EncodedRows ? (JSON.parse(`[${Buffer.concat([...data.chunks]).toString()}]`) as unknown[]) : data;
    expect(rows).toEqual(apps.slice(0, limit));
    expect(encoded).toEqual(limit > 20 ? rows : []);
  }
});
