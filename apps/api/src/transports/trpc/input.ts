import type { IncomingMessage } from 'node:http';
import type { RawInput } from '../../operation/input.ts';
import { invalid } from '../../operation/problem.ts';
import { readJson } from '../http/body.ts';

/** Where the inputs of one tRPC request are: a query's in its address, a mutation's in the body. */
export interface TrpcInputs {
  isBatch: boolean;
  /** The body: one input, or for a batch those of all calls. Read once, when the first caller has proved that they may ask. */
  body(): Promise<unknown>;
}

/** Makes the reader of a request's body, which is the REST face's: same limits, same refusals. */
export function bodyReader(request: IncomingMessage): () => Promise<unknown> {
  let body: Promise<unknown> | undefined;
  return () => (body ??= readJson(request));
}

/** The input of a query. Throws VALIDATION_FAILED. */
export const queryInput = (getRawInput: () => Promise<unknown>): Promise<RawInput> =>
  getRawInput().then(flat, (cause: unknown) => {
    throw invalid('', 'The input is not valid JSON', cause);
  });

/** The input of a mutation. Throws what `readJson` throws. */
export async function mutationInput({ body, isBatch }: TrpcInputs, batchIndex: number): Promise<RawInput> {
  const inputs = await body();
  const isMap = isBatch && typeof inputs === 'object' && inputs !== null;
  return flat(isMap ? (inputs as Record<number, unknown>)[batchIndex] : inputs);
}

/** One object stands for path, query and body; left out, it is empty. */
function flat(raw: unknown): RawInput {
  const input = raw ?? {};
  return { params: input, query: input, body: input };
}
