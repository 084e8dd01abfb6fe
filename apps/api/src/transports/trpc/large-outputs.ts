import { randomUUID } from 'node:crypto';
import { EncodedJson } from '../../operation/encoded-json.ts';

/** Large outputs of one request, which tRPC must not encode again: it encodes a short text in their place. */
export class LargeOutputs {
  readonly #outputs = new Map<string, EncodedJson>();

  /** Returns the output as tRPC may encode it. */
  replace(output: unknown): unknown {
    if (!(output instanceof EncodedJson)) return output;
    const placeholder = randomUUID();
    this.#outputs.set(placeholder, output);
    return placeholder;
  }

  /** Puts the outputs back into the response that tRPC has encoded. */
  restore(response: Buffer): Buffer | readonly Buffer[] {
    if (this.#outputs.size === 0) return response;
    const chunks: Buffer[] = [];
    let start = 0;
    const places = [...this.#outputs].map(([placeholder, output]) => ({ text: `"${placeholder}"`, output }));
    const found = places.map(({ text, output }) => ({ at: response.indexOf(text), length: text.length, output }));
    for (const { at, length, output } of found.toSorted((a, b) => a.at - b.at)) {
      chunks.push(response.subarray(start, at), ...output.chunks);
      start = at + length;
    }
    return [...chunks, response.subarray(start)];
  }
}
