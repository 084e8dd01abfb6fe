import type { IncomingMessage } from 'node:http';
import { validationFailed } from '../../handler/validation-failed.ts';
import type { RawInput } from '../../operation/input.ts';
import { readJson } from '../http/body.ts';

/** The inputs of all calls of a request. They are parsed once, when the first call is authorized. */
export class Inputs {
  readonly #request: IncomingMessage;
  readonly #search: URLSearchParams;
  readonly #isBatch: boolean;
  #parsed: unknown;
  #body: Promise<unknown> | undefined;

  constructor(request: IncomingMessage, search: URLSearchParams, isBatch: boolean) {
    this.#request = request;
    this.#search = search;
    this.#isBatch = isBatch;
  }

  /** Returns the input of a query, which is in the URL. Throws VALIDATION_FAILED. @param index position of the call in the batch */
  ofQuery(index: number): RawInput {
    const inputs = (this.#parsed ??= this.#parseQuery());
    return toRawInput(this.#isBatch ? (inputs as Record<number, unknown>)[index] : inputs);
  }

  /** Reads the input of a mutation, which is in the body. Throws what `readJson` throws, as over REST. @param index position of the call in the batch */
  async ofMutation(index: number): Promise<RawInput> {
    const inputs = await (this.#body ??= readJson(this.#request));
    const isMap = this.#isBatch && typeof inputs === 'object' && inputs !== null;
    return toRawInput(isMap ? (inputs as Record<number, unknown>)[index] : inputs);
  }

  #parseQuery(): unknown {
    const inputs = parse(this.#search.get('input') || '{}');
    if (this.#isBatch && (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs))) throw invalidInput();
    return inputs;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput(error);
  }
}

const invalidInput = (cause?: unknown) => validationFailed('', 'The input is not valid JSON', cause);

/** Over tRPC, one flat object is the input for path, query and body. */
function toRawInput(raw: unknown): RawInput {
  const input = raw ?? {};
  const { ifMatch, idempotencyKey } = input as Record<string, unknown>;
  return { params: input, query: input, body: input, ifMatch, idempotencyKey };
}
