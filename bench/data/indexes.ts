import type pg from 'pg';

interface Definition {
  relation: string;
  drop: string;
  create: string;
}

/** The indexes and constraints of the tables. Loading rows without them and creating them afterwards is several times faster. */
export interface Indexes {
  drop(client: pg.Client): Promise<void>;
  /** Creates them again, with all clients at the same time. */
  create(clients: readonly pg.Client[]): Promise<void>;
}

/** Reads the definitions of the tables' indexes and constraints. */
export async function indexesOf(client: pg.Client, tables: readonly string[]): Promise<Indexes> {
  const constraints = await client.query<Definition & { type: string }>(
    `select conrelid::regclass::text as relation, contype as type,
       format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid) || case when contype = 'f' then ' not valid' else '' end) as create
     from pg_constraint
     where contype in ('p', 'u', 'x', 'f') and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))
     order by oid`,
    [tables],
  );
  const indexes = await client.query<Definition>(
    `select indrelid::regclass::text as relation, format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
     from pg_index
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)`,
    [tables],
  );
  const foreignKeys = constraints.rows.filter(({ type }) => type === 'f');
  const keys = constraints.rows.filter(({ type }) => type !== 'f');
  return {
    async drop(connection) {
      for (const { drop } of [...foreignKeys, ...keys, ...indexes.rows]) await connection.query(drop);
    },
    async create(clients) {
      await runByRelation(clients, [...keys, ...indexes.rows]);
      // PostgreSQL checks foreign keys in the order of their creation, so the order stays. They are not
      // checked for the loaded rows, which are right by construction: only new rows matter to the measurements.
      for (const { create } of foreignKeys) await clients[0]?.query(create);
    },
  };
}

/** Runs the definitions of one table one after the other, and those of different tables in parallel. */
async function runByRelation(clients: readonly pg.Client[], definitions: readonly Definition[]): Promise<void> {
  const byRelation = [...Map.groupBy(definitions, ({ relation }) => relation).values()].toSorted((a, b) => b.length - a.length);
  await Promise.all(
    clients.map(async (client) => {
      for (let next = byRelation.shift(); next; next = byRelation.shift()) for (const { create } of next) await client.query(create);
    }),
  );
}
