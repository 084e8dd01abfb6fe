import type { IncomingMessage } from 'node:http';
import { invalid } from '../../handler/invalid.ts';
import type { RawInput } from '../../operation/input.ts';
import { readJson } from '../http/body.ts';

/** Creates the reader of the request's body: the same limits and refusals as over REST. A batch reads the body once, for all its calls. */
export function createBodyReader(request: IncomingMessage): () => Promise<unknown> {
  let body: Promise<unknown> | undefined;
  return () => (body ??= readJson(request));
}

/** The input of a query, which is in its address. Throws VALIDATION_FAILED. */
export const readQueryInput = (getRawInput: () => Promise<unknown>): Promise<RawInput> =>
  getRawInput().then(toRawInput, (cause: unknown) => {
    throw invalid('', 'The input is not valid JSON', cause);
  });

/** The input of a mutation, which is in the body. Throws what `readJson` throws. @param batchIndex absent: the request is no batch */
export async function readMutationInput(readBody: () => Promise<unknown>, batchIndex: number | undefined): Promise<RawInput> {
  const inputs = await readBody();
  const isMap = batchIndex !== undefined && typeof inputs === 'object' && inputs !== null;
  return toRawInput(isMap ? (inputs as Record<number, unknown>)[batchIndex] : inputs);
}

/** One flat object stands for path, query and body. Without an input it is empty. */
function toRawInput(raw: unknown): RawInput {
  const input = raw ?? {};
  return { params: input, query: input, body: input };
}
