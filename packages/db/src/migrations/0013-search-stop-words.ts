import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Makes "contains" filters cheaper. A trigram index has the rows of each group of three characters. The groups of words like "cooperativa" have many rows and
 * exclude few, and reading them takes most of the time. `search_index_pattern` leaves them out, `search_contains` then compares the whole text.
 */
export const searchStopWords: Migration = {
  async up(db) {
    await sql`
      -- A pattern that matches everything that contains the text. "_" replaces the characters that occur only in groups of stop words, or in groups
      -- that pg_trgm does not index. Without another group, it is the whole text.
      create function search_index_pattern(value text) returns text
        language plpgsql immutable strict parallel safe
        set search_path from current
        as $$
          declare
            stop_words constant text := ' cooperativa cooperativas coop associacao sociedade central empresa grupo instituto federacao sindicato agricola '
              'agricultores agropecuaria agroindustrial agroindustria produtores produtos rural rurais credito comercio comercializacao industria '
              'distribuidora transportes servicos consultoria administracao secretaria familiar alimentos nacional regional brasil brasileira ltda eireli '
              'de do da dos das em no na para e sao santo santa nossa senhora serra vale rio agua aguas campo campos monte novo nova '
              'norte sul leste oeste guarani silva santos oliveira souza pereira ferreira almeida gmail hotmail outlook yahoo com br ';
            wanted constant text := search_text(value);
            pattern text := '';
            trigram text;
            kept_until integer := 0;
          begin
            for position in 1 .. length(wanted) loop
              trigram := substr(wanted, position, 3);
              if length(trigram) = 3 and trigram ~ '^ ?[a-z0-9]{2,3} ?$' and strpos(stop_words, trigram) = 0 then
                kept_until := position + 2;
              end if;
              pattern := pattern || case when position <= kept_until then left(trigram, 1) else '_' end;
            end loop;
            return case when kept_until = 0 then search_pattern(value) else '%' || pattern || '%' end;
          end
        $$;

      -- Whether a normalized text contains the value. PostgreSQL replaces the call by its body, so that it can use an index.
      -- The collation keeps the second comparison out of the index. Its estimate of the rows still counts.
      create function search_contains(searched text, value text) returns boolean
        language sql immutable parallel safe
        return searched like search_index_pattern(value)
          and (search_index_pattern(value) = search_pattern(value) or searched collate "C" like search_pattern(value));
    `.execute(db);
  },
};
