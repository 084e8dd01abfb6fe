import type { IncomingMessage } from 'node:http';
import { validationFailed } from '../../request/validation-failed.ts';
import type { ParseLargeBody } from '../../request/api-request.ts';
import type { RawInput } from '../../request/input.ts';
import { parseJson, readJson } from '../http/body.ts';

/** What the inputs of a request are read from. */
export interface InputsOptions {
  request: IncomingMessage;
  search: URLSearchParams;
  isBatch: boolean;
  /** Size limit of the body, in bytes. */
  maxBodyBytes: number;
}

/** The inputs of all calls of a request. They are parsed once, when the first call is authorized. */
export class Inputs {
  readonly #options: InputsOptions;
  #parsed: unknown;
  #body: Promise<unknown> | undefined;

  constructor(options: InputsOptions) {
    this.#options = options;
  }

  /** Returns the input of a query, which is in the URL. Throws VALIDATION_FAILED. @param index position of the call in the batch */
  ofQuery(index: number): RawInput {
    const inputs = (this.#parsed ??= this.#parseQuery());
    return toRawInput(this.#options.isBatch ? (inputs as Record<number, unknown>)[index] : inputs);
  }

  /** Reads the input of a mutation, which is in the body. Throws what `readJson` throws, as over REST. @param index position of the call in the batch */
  async ofMutation(index: number, parseLargeBody: ParseLargeBody): Promise<RawInput> {
    const { request, isBatch, maxBodyBytes } = this.#options;
    const inputs = await (this.#body ??= readJson(request, maxBodyBytes, parseLargeBody));
    return toRawInput(isBatch && isMap(inputs) ? inputs[index] : inputs);
  }

  #parseQuery(): unknown {
    const { search, isBatch } = this.#options;
    const [text, ...others] = search.getAll('input');
    if (others.length > 0) throw validationFailed('input', 'Given more than once');
    const inputs = parseJson(text || '{}', 'input');
    if (isBatch && !isMap(inputs)) throw validationFailed('', 'The input is not valid JSON');
    return inputs;
  }
}

/** Whether a batch can have these inputs. */
const isMap = (inputs: unknown): inputs is Record<number, unknown> =>
  typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs);

/** Over tRPC, one flat object is the input for path, query and body. */
function toRawInput(raw: unknown): RawInput {
  const input = raw ?? {};
  const { ifMatch, idempotencyKey, lastEventId } = input as Record<string, unknown>;
  return { params: input, query: input, body: input, ifMatch, idempotencyKey, lastEventId };
}
