import type { Contract, RouterOf } from '@profile-service/contracts';
import { httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client';
import type { Connection } from './connection.ts';

export type ProfileRouter = RouterOf<Contract>;

/** The service's limits for one request: number of calls, and characters of the URL. */
const batchLimits = { maxItems: 100, maxURLLength: 8_000 };

/** Maximum size of the input of a batched mutation, in bytes. 100 such inputs with their keys fit the service's body limit of 1 MiB. */
const maxBatchedInput = 10_000;

/** Batches calls into one request. A mutation with a large input is sent alone, so that a batch never exceeds the body limit. */
export function requestLink({ url, headers }: Connection): TRPCLink<ProfileRouter> {
  const options = { url: `${url}/trpc`, headers };
  return splitLink<ProfileRouter>({
    condition: ({ type, input }) => type === 'mutation' && jsonBytes(input) > maxBatchedInput,
    true: httpLink(options),
    false: httpBatchLink({ ...options, ...batchLimits }),
  });
}

/** Size of the JSON text in UTF-8. `JSON.stringify(undefined)` is undefined, which encodes to nothing. */
const jsonBytes = (input: unknown): number => new TextEncoder().encode(JSON.stringify(input)).length;
