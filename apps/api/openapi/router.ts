import type { NamedEndpoint, Endpoint } from '@profile-service/contracts';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta, OpenApiMethod } from 'trpc-to-openapi';
import { z } from 'zod';
import { operationIdOf } from './operation-id.ts';
import { tagOf } from './tags.ts';
import { whoMay } from './who-may.ts';

const t = initTRPC.meta<OpenApiMeta>().create();

/** The rows as the generator reads them: procedures that nobody calls. */
export const routerOf = (endpoints: readonly NamedEndpoint[]) =>
  t.router(Object.fromEntries(endpoints.map((named) => [named.name, procedureOf(named)])));

function procedureOf(named: NamedEndpoint) {
  const { name, endpoint } = named;
  // The body is nested, since the generator takes a merged input apart again and loses its name and its refinements.
  const input = z.object({ ...endpoint.params, ...endpoint.query, ...(endpoint.body ? { body: endpoint.body } : {}) });
  const procedure = t.procedure
    .meta({
      openapi: {
        method: endpoint.method,
        path: endpoint.path as `/${string}`,
        operationId: operationIdOf(named),
        summary: endpoint.summary,
        description: whoMay(endpoint.access),
        tags: [tagOf(name)],
        errorResponses: [],
      },
    })
    .input(input)
    .output(endpoint.output ?? z.void());
  const unused = () => undefined;
  return endpoint.method === 'GET' ? procedure.query(unused) : procedure.mutation(unused);
}

/** The row's method as OpenAPI's path items have it. */
export const methodOf = (endpoint: Endpoint) => endpoint.method.toLowerCase() as Lowercase<OpenApiMethod>;
