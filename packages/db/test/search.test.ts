import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { connect, type Database } from '../src/index.ts';

let database: Database;
beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
});
afterAll(() => database.close());

describe('search_text', () => {
  // Rules: LISTS-6
  test.each([
    ["D'ÁVILA d’ávila d‘Ávila d´avila d`avila d｀Ávila", "d'avila d'avila d'avila d'avila d'avila d'avila"],
    ['a-b a‐b a‑b a–b a—b a−b a﹘b', 'a-b a-b a-b a-b a-b a-b a-b'],
    ['  São \t\u00a0 José\u2003dos\nCampos\u3000', 'sao jose dos campos'],
    ['e\u0301\u200bx', 'ex'],
  ])('normalizes apostrophes, dashes, blanks, accents and case: %j', async (text, normalized) => {
    expect((await database.pool.query('select search_text($1) as normalized', [text])).rows).toEqual([{ normalized }]);
  });
});

describe('search_contains', () => {
  const names = [
    'Cooperativa Agrícola de Jaguariaíva do Sul 1234',
    'COOPERATIVA DE CRÉDITO 100% RURAL_LTDA.',
    'A-B C\\D (E/F) São João',
    'Ｍａｒｉａ Ⅳ 株式会社 Łódź',
    'İstanbul ﬁn 😀 e\u0301 x',
  ];

  // Rules: LISTS-6
  test.each(names)('finds every part of %j, and no part of another name', async (name) => {
    // All parts of up to 12 characters, and all ends. The normalized text is cut: the same parts of the name would be normalized differently.
    const { rows } = await database.pool.query<{ wrong: string }>(
      `with parts as (
         select distinct substr(search_text($1), start, length) as part
         from generate_series(1, char_length(search_text($1))) start, unnest(array[1, 2, 3, 4, 5, 8, 12, 100]) length
       )
       select part || ' in ' || name as wrong from parts, unnest($2::text[]) name
       where search_contains(search_text(name), part) <> (strpos(search_text(name), search_text(part)) > 0)`,
      [name, names],
    );
    expect(rows).toEqual([]);
  });

  test.each(['cooperativa jaguariaiva', 'são'])('uses a trigram index: %s', async (text) => {
    const client = await database.pool.connect();
    try {
      await client.query(
        'set enable_seqscan = off; create temp table names (name text); create index on names using gin (name gin_trgm_ops)',
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (costs off) select from names where search_contains(name, '${text}')`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond: \(name ~~ '%(cooperativa jaguariaiva|sao)%'::text\)$/);
    } finally {
      client.release(true);
    }
  });
});
