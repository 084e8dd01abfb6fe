import type { Endpoint, NamedEndpoint } from '@profile-service/contracts';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta, OpenApiMethod } from 'trpc-to-openapi';
import { z } from 'zod';
import { operationIdOf } from './operation-id.ts';
import { tagOf } from './tags.ts';
import { describeAccess } from './access.ts';

const t = initTRPC.meta<OpenApiMeta>().create();

/** Wraps the endpoints in tRPC procedures, which the generator reads and nobody calls. */
export const routerOf = (endpoints: readonly NamedEndpoint[]) =>
  t.router(Object.fromEntries(endpoints.map((named) => [named.name, procedureOf(named)])));

function procedureOf(named: NamedEndpoint) {
  const { name, endpoint } = named;
  // The body is nested: from a merged input, the generator would build a new schema without name and refinements.
  const input = z.object({ ...endpoint.params, ...endpoint.query, ...(endpoint.body ? { body: endpoint.body } : {}) });
  const procedure = t.procedure
    .meta({
      openapi: {
        method: endpoint.method,
        path: endpoint.path as `/${string}`,
        operationId: operationIdOf(named),
        summary: endpoint.summary,
        description: [endpoint.description ?? [], describeAccess(endpoint.access)].flat().join('\n\n'),
        tags: [tagOf(name)],
        errorResponses: [],
      },
    })
    .input(input)
    .output(endpoint.output ?? z.void());
  const unused = () => undefined;
  return endpoint.method === 'GET' ? procedure.query(unused) : procedure.mutation(unused);
}

/** The key of the endpoint's method in a path item. */
export const methodOf = (endpoint: Endpoint) => endpoint.method.toLowerCase() as Lowercase<OpenApiMethod>;
