import type { NamedEndpoint } from '@profile-service/contracts';
import fc from 'fast-check';
import { z } from 'zod';
import type { Caller } from '../world/callers.ts';
import { headerTexts } from './headers.ts';
import { hintsOf } from './hints.ts';
import type { Known } from './known.ts';
import { restRequests } from './rest.ts';
import { schemaOf, valuesOf } from './schema.ts';
import type { Parts, Sent } from './sent.ts';
import { trpcRequests } from './trpc.ts';

/** The target and the token together must fit into the head size that the service accepts. */
const longestTarget = 12_000;

/** Requests of the endpoint by all kinds of callers over both transports. Throws for an unsupported schema. */
export function requestsOf(named: NamedEndpoint, callers: readonly Caller[], known: Known): fc.Arbitrary<Sent> {
  const { endpoint } = named;
  const make = (shape: z.ZodType, fresh: boolean) =>
    valuesOf(schemaOf(shape), hintsOf(known, named.name, fresh)) as fc.Arbitrary<Record<string, unknown>>;
  const parts: fc.Arbitrary<Parts> = fc.record({
    params: make(z.object(endpoint.params), false),
    query: make(z.object(endpoint.query), false),
    body: endpoint.body ? make(endpoint.body, endpoint.method === 'POST') : fc.constant({}),
  });
  const asked = restRequests(endpoint, parts).map((request) => ({ transport: 'REST' as const, ...request }));
  const called = trpcRequests(named, parts).map((request) => ({ transport: 'tRPC' as const, ...request }));
  return fc
    .tuple(endpoint.media === 'json' ? fc.oneof(asked, called) : asked, callerWithTenant(named, callers))
    .filter(([{ target }]) => target.length < longestTarget)
    .map(([request, { caller, tenant }]) => ({
      named,
      caller,
      ...request,
      headers: { ...request.headers, ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }) },
    }));
}

/** Half of the requests come from the caller with the most permissions. */
function callerWithTenant(
  { endpoint }: NamedEndpoint,
  callers: readonly Caller[],
): fc.Arbitrary<{ caller: Caller; tenant: string | undefined }> {
  const likely = endpoint.access.kind === 'service' ? 'application' : 'global';
  const weighted = callers.map((caller) => ({ weight: caller.name === likely ? callers.length : 1, arbitrary: fc.constant(caller) }));
  return fc.oneof(...weighted).chain((caller) => {
    const [own, ...others] = caller.tenants;
    const tenant = fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 4, arbitrary: fc.constant(own) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
      { weight: 1, arbitrary: headerTexts },
    );
    return fc.record({ caller: fc.constant(caller), tenant });
  });
}
