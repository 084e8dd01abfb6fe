import { describe, expect, test } from 'vitest';
import { useDatabase } from './use-database.ts';

const { database, sql } = await useDatabase({ max: 1 });

// Rules: LISTS-6
test.each([
  ["D'ÁVILA d’ávila d‘Ávila d´avila d`avila d｀Ávila", "d'avila d'avila d'avila d'avila d'avila d'avila"],
  ['a-b a‐b a‑b a–b a—b a−b a﹘b', 'a-b a-b a-b a-b a-b a-b a-b'],
  ['  São \t\u00a0 José\u2003dos\nCampos\u3000', 'sao jose dos campos'],
  ['e\u0301\u200bx', 'ex'],
  ['\u200e\u202aa\u202c\u2066b\u2069\u200f\u061c\u180e\u2063c\ufe0f\ufeff\u{e0020}', 'abc'],
  ['Weiß WEIẞ ISIK Işık ΟΔΟΣ Æø ŁÓDŹ Đ Œ', 'weiss weiss isik isik οδοσ aeo lodz d oe'],
])('search_text normalizes apostrophes, dashes, blanks, accents and case: %j', async (text, normalized) => {
  expect(await sql('select search_text($1) as normalized', [text])).toEqual([{ normalized }]);
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
    const wrong = `with parts as (
        select distinct substr(search_text($1), start, length) as part
        from generate_series(1, char_length(search_text($1))) start, unnest(array[1, 2, 3, 4, 5, 8, 12, 100]) length
      )
      select part || ' in ' || name as wrong from parts, unnest($2::text[]) name
      where search_contains(search_text(name), part) <> (strpos(search_text(name), search_text(part)) > 0)`;
    expect(await sql(wrong, [name, names])).toEqual([]);
  });

  test.each([
    ['cooperativa jaguariaiva', 'cooperativa jaguariaiva'],
    ['são', 'sao'],
  ])('uses a trigram index: %s', async (text, normalized) => {
    const table = 'create temp table names (name text); create index on names using gin (name gin_trgm_ops)';
    await database.pool.query(`drop table if exists names; set enable_seqscan = off; ${table}`);
    const plan = await sql(`explain (costs off) select from names where search_contains(name, '${text}')`);
    expect(plan.at(-1)?.['QUERY PLAN']).toContain(`Index Cond: (name ~~ '%${normalized}%'::text)`);
  });
});
