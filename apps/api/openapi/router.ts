import type { NamedRow, Row } from '@profile-service/contracts';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta, OpenApiMethod } from 'trpc-to-openapi';
import { z } from 'zod';
import { operationIdOf } from './operation-id.ts';
import { tagOf } from './tags.ts';
import { whoMay } from './who-may.ts';

const t = initTRPC.meta<OpenApiMeta>().create();

/** The rows as the generator reads them: procedures that nobody calls. */
export const routerOf = (rows: readonly NamedRow[]) => t.router(Object.fromEntries(rows.map((named) => [named.name, procedureOf(named)])));

function procedureOf(named: NamedRow) {
  const { name, row } = named;
  // The body is nested, since the generator takes a merged input apart again and loses its name and its refinements.
  const input = z.object({ ...row.params, ...row.query, ...(row.body ? { body: row.body } : {}) });
  const procedure = t.procedure
    .meta({
      openapi: {
        method: row.method,
        path: row.path as `/${string}`,
        operationId: operationIdOf(named),
        summary: row.summary,
        description: whoMay(row.access),
        tags: [tagOf(name)],
        errorResponses: [],
      },
    })
    .input(input)
    .output(row.output ?? z.void());
  const unused = () => undefined;
  return row.method === 'GET' ? procedure.query(unused) : procedure.mutation(unused);
}

/** The row's method as OpenAPI's path items have it. */
export const methodOf = (row: Row) => row.method.toLowerCase() as Lowercase<OpenApiMethod>;
