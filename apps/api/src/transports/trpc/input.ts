import type { IncomingMessage } from 'node:http';
import { validationFailed } from '../../handler/validation-failed.ts';
import type { RawInput } from '../../operation/input.ts';
import { readJson } from '../http/body.ts';

/** Creates the function that reads the JSON body, with the same limits and errors as over REST. A batch reads the body once for all its calls. */
export function createBodyReader(request: IncomingMessage): () => Promise<unknown> {
  let body: Promise<unknown> | undefined;
  return () => (body ??= readJson(request));
}

/** Reads the input of a query, which is in the URL. Throws VALIDATION_FAILED. */
export const readQueryInput = (getRawInput: () => Promise<unknown>): Promise<RawInput> =>
  getRawInput().then(toRawInput, (cause: unknown) => {
    throw validationFailed('', 'The input is not valid JSON', cause);
  });

/** Reads the input of a mutation, which is in the body. Throws what `readJson` throws. @param batchIndex position in the batch; undefined outside a batch */
export async function readMutationInput(readBody: () => Promise<unknown>, batchIndex: number | undefined): Promise<RawInput> {
  const inputs = await readBody();
  const isMap = batchIndex !== undefined && typeof inputs === 'object' && inputs !== null;
  return toRawInput(isMap ? (inputs as Record<number, unknown>)[batchIndex] : inputs);
}

/** Over tRPC, one flat object is the input for path, query and body. */
function toRawInput(raw: unknown): RawInput {
  const input = raw ?? {};
  return { params: input, query: input, body: input };
}
