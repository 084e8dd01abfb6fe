import { randomUUID } from 'node:crypto';
import { EncodedJson } from '../../operation/encoded-json.ts';

/** Keeps the large outputs of a request, which are encoded already. tRPC encodes a short placeholder for each. */
export class LargeOutputs {
  readonly #outputs = new Map<string, EncodedJson>();

  /** Returns a placeholder for a large output, and any other output unchanged. */
  replace(output: unknown): unknown {
    if (!(output instanceof EncodedJson)) return output;
    const placeholder = randomUUID();
    this.#outputs.set(placeholder, output);
    return placeholder;
  }

  /** Replaces the placeholders in the response that tRPC has encoded. @returns the response, in chunks if it has a large output */
  restore(response: Buffer): Buffer | readonly Buffer[] {
    if (this.#outputs.size === 0) return response;
    const chunks: Buffer[] = [];
    let start = 0;
    const replacements = [...this.#outputs].map(([placeholder, output]) => {
      const text = JSON.stringify(placeholder);
      return { at: response.indexOf(text), length: text.length, output };
    });
    for (const { at, length, output } of replacements.toSorted((a, b) => a.at - b.at)) {
      chunks.push(response.subarray(start, at), ...output.chunks);
      start = at + length;
    }
    return [...chunks, response.subarray(start)];
  }
}
